package io.raftlock.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.RunHistory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

class NodeComplaintsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir Path folder;

    private final RunHistory history =
            RunHistory.of(
                    List.of(
                            new Event.PhaseBegan(0, Event.Phase.START),
                            new Event.FaultBegan(10 * SECOND, 0, "SYNC_ERROR", "n1", "n1", 1),
                            new Event.FaultEnded(20 * SECOND, 0, "SYNC_ERROR", "proof"),
                            new Event.FaultBegan(30 * SECOND, 1, "KILL", "n1", "n1", 1),
                            new Event.FaultEnded(40 * SECOND, 1, "KILL", "proof"),
                            new Event.PhaseBegan(90 * SECOND, Event.Phase.STOP)));

    @Test
    void anErrorWhileTheDiskFailsHasAReason() throws IOException {
        assertThat(found("n1", "00:00:15.000")).isEmpty();
        assertThat(found("n1", "00:00:24.000")).isEmpty();
    }

    @Test
    void anErrorAtAnotherTimeOrOnAnotherNodeHasNone() throws IOException {
        assertThat(found("n1", "00:00:09.900"))
                .singleElement()
                .satisfies(event -> assertThat(event.atNanos()).isEqualTo(9_900_000_000L));
        assertThat(found("n1", "00:00:26.000")).hasSize(1);
        assertThat(found("n1", "00:00:35.000")).hasSize(1);
        assertThat(found("n2", "00:00:15.000")).hasSize(1);
    }

    @Test
    void aNodeThatWroteNothingHasNoComplaints() throws IOException {
        assertThat(complaints().of("n3", folder.resolve("none"))).isEmpty();
    }

    @Test
    void aSnapshotThatAnotherLeaderInterruptsIsNoFailureButOneThatTheDiskDoes() throws IOException {
        String copying = "LocalSnapshotCopier - Fail to start copy job\n";
        String interrupted = "java.nio.channels.ClosedByInterruptException: null\n\tat a.b.C\n";
        assertThat(found("n2", "00:00:15.000", copying + interrupted)).isEmpty();
        assertThat(found("n2", "00:00:15.000", copying + "java.io.IOException: Input/output error"))
                .hasSize(1);
        assertThat(found("n2", "00:00:15.000", copying)).hasSize(1);
        assertThat(found("n2", "00:00:15.000", "NodeImpl - it ended\n" + interrupted)).hasSize(1);
    }

    @Test
    void aSnapshotWhoseListOfFilesDidNotComeIsNoFailureButOneWhoseListIsUnreadable()
            throws IOException {
        String list = "LocalSnapshotMetaTable - ";
        assertThat(found("n2", "00:00:15.000", list + "Null buf to load.\n")).isEmpty();
        assertThat(found("n2", "00:00:15.000", list + "Fail to load meta from buffer.\n"))
                .hasSize(1);
    }

    private List<Event> found(String node, String time) throws IOException {
        return found(node, time, "NodeImpl - it went wrong\n");
    }

    private List<Event> found(String node, String time, String error) throws IOException {
        Path log = folder.resolve("log");
        Files.writeString(
                log,
                "2026-01-01T%sZ ERROR %s2026-01-01T%sZ INFO fine\n".formatted(time, error, time));
        return complaints().of(node, log);
    }

    private NodeComplaints complaints() {
        return new NodeComplaints(history, START.getEpochSecond() * SECOND);
    }
}
