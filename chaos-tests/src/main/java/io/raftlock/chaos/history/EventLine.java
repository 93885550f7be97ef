package io.raftlock.chaos.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;

/** Events as lines of text, as they go from one process to another and into files. */
public final class EventLine {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ObjectWriter WRITER = JSON.writerFor(Event.class);
    private static final ObjectReader READER = JSON.readerFor(Event.class);

    private EventLine() {}

    /** Returns the event as one line, without its end. */
    public static String of(Event event) {
        try {
            return WRITER.writeValueAsString(event);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("no event is beyond JSON", e);
        }
    }

    /**
     * Returns the event.
     *
     * @throws JsonProcessingException if the line is none
     */
    public static Event parse(String line) throws JsonProcessingException {
        return READER.readValue(line);
    }
}
