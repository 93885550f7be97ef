package io.raftlock.chaos.history;

import com.fasterxml.jackson.core.JsonProcessingException;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What an {@link EventLog} left behind, also if its process died while it wrote.
 *
 * @param events in the order in which they were appended, without the last line's count
 * @param problems why it is not certain that these are all, in words; empty if it is
 */
public record RecordedEvents(List<Event> events, List<String> problems) {

    public RecordedEvents {
        events = List.copyOf(events);
        problems = List.copyOf(problems);
    }

    /**
     * Reads a file of events.
     *
     * @throws IOException if it cannot be read at all
     */
    public static RecordedEvents read(Path file) throws IOException {
        List<Event> events = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        long number = 0;
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            String line = lines.readLine();
            while (line != null) {
                number++;
                String next = lines.readLine();
                try {
                    events.add(EventLine.parse(line));
                } catch (JsonProcessingException e) {
                    problems.add(
                            next == null
                                    ? "the last line is torn"
                                    : "line %d is no event".formatted(number));
                }
                line = next;
            }
        }
        checkCount(events, problems);
        return new RecordedEvents(events, problems);
    }

    private static void checkCount(List<Event> events, List<String> problems) {
        int last = events.size() - 1;
        if (last >= 0
                && events.get(last) instanceof Event.Noted noted
                && noted.kind().equals(EventLog.COUNT_KIND)) {
            events.remove(last);
            if (!noted.text().equals(Integer.toString(last))) {
                problems.add(
                        "%s events were recorded, but %d are there".formatted(noted.text(), last));
            }
        } else {
            problems.add("the recorder did not say how many events there are");
        }
    }
}
