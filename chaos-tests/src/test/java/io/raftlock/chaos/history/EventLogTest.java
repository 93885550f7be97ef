package io.raftlock.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.chaos.history.Event.Action;
import io.raftlock.chaos.history.Event.Invoked;
import io.raftlock.chaos.history.Event.Noted;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

class EventLogTest {
    @TempDir private Path folder;
    private Path file;

    @BeforeEach
    void nameFile() {
        file = folder.resolve("history.jsonl");
    }

    private static Event event(long at) {
        return new Invoked(at, at, "A", 1, Action.LOCK, "k", 0);
    }

    private void write(int count) {
        try (EventLog log = new EventLog(file)) {
            for (int i = 1; i <= count; i++) {
                log.append(event(i));
            }
            assertThat(log.accepted()).isEqualTo(count);
        }
    }

    @Test
    void whatWasAppendedIsReadInItsOrder() throws IOException {
        write(5_000);
        RecordedEvents read = RecordedEvents.read(file);
        assertThat(read.problems()).isEmpty();
        assertThat(read.events()).hasSize(5_000).startsWith(event(1)).endsWith(event(5_000));
    }

    @Test
    void severalThreadsAppendWithoutLoss() throws Exception {
        try (EventLog log = new EventLog(file)) {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                threads.add(new Thread(() -> appendMany(log)));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join(30_000);
            }
        }
        RecordedEvents read = RecordedEvents.read(file);
        assertThat(read.problems()).isEmpty();
        assertThat(read.events()).hasSize(4_000);
    }

    private static void appendMany(EventLog log) {
        for (int i = 0; i < 1_000; i++) {
            log.append(event(i));
        }
    }

    @Test
    void aTornLastLineIsLeftOutAndSaid() throws IOException {
        write(3);
        String text = Files.readString(file);
        Files.writeString(file, text.substring(0, text.lastIndexOf("\"event\":\"noted\"") + 5));
        RecordedEvents read = RecordedEvents.read(file);
        assertThat(read.events()).hasSize(3);
        assertThat(read.problems())
                .containsExactly(
                        "the last line is torn",
                        "the recorder did not say how many events there are");
    }

    @Test
    void aLineThatIsMissingShows() throws IOException {
        write(3);
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        lines.remove(1);
        Files.write(file, lines);
        assertThat(RecordedEvents.read(file).problems())
                .containsExactly("3 events were recorded, but 2 are there");
        assertThat(RunHistory.read(file).problems()).hasSize(1);
    }

    @Test
    void aLineThatIsNoEventShowsAndDoesNotHideTheRest() throws IOException {
        write(3);
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        lines.set(1, lines.get(1).substring(5));
        Files.write(file, lines);
        RecordedEvents read = RecordedEvents.read(file);
        assertThat(read.events()).hasSize(2);
        assertThat(read.problems()).contains("line 2 is no event");
    }

    @Test
    void aClosedLogTakesNothing() {
        EventLog log = new EventLog(file);
        log.append(new Noted(1, "setup", "", ""));
        log.close();
        log.close();
        assertThatThrownBy(() -> log.append(event(2))).isInstanceOf(IllegalStateException.class);
    }
}
