package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.protocol.SessionId;
import io.raftlock.server.lock.Outcome;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A log, a snapshot or a vote that is damaged while the node does not run. */
@Timeout(60)
class DamagedFilesTest {
    private static final int COMMANDS = 80;
    private static final String VOTE = "meta/vote";

    /** Within each of the two copies of the vote. */
    private static final int FIRST_COPY = 20;

    private static final int SECOND_COPY = 4_096 + 20;

    @TempDir Path root;

    private static void acquireMany(TestGroup group, SessionId session, int from) {
        for (int number = from; number < from + COMMANDS; number++) {
            group.perform(TestGroup.acquire(session, number, "l" + number));
        }
    }

    // -- the log

    @Test
    void aNodeWhoseLogIsDamagedDoesNotStartAndForgetsNothing() throws Exception { // E18
        try (TestGroup group = TestGroup.started(root, 3)) {
            SessionId session = group.openSession();
            acquireMany(group, session, 1);
            group.awaitEqualStates();
            String down = group.follower();
            group.stop(down);
            Path wal = StoredFiles.find(group.data(down).resolve("log"), ".log");
            for (int percent : new int[] {5, 50, 95, 100}) {
                long damaged = (StoredFiles.lengthOfContent(wal) - 1) * percent / 100;
                StoredFiles.flipBit(wal, damaged);
                assertRefused(group, down, wal);
                assertThat(group.perform(TestGroup.acquire(session, 900 + percent, "p" + percent)))
                        .isInstanceOf(Outcome.Granted.class);
                StoredFiles.flipBit(wal, damaged);
            }
            group.start(down);
            group.awaitEqualStates();
            assertThat(group.fatal).isEmpty();
        }
    }

    private static void assertRefused(TestGroup group, String id, Path wal) throws Exception {
        Map<String, Long> before = StoredFiles.checksums(group.data(id));
        assertThatThrownBy(() -> group.start(id))
                .isInstanceOf(NodeStartException.class)
                .hasMessageContainingAll("the log in", group.data(id).toString())
                .hasMessageContainingAll(wal.getFileName().toString(), "is damaged at byte")
                .hasMessageContaining("Rebuild a node")
                .message()
                .doesNotContain("\n");
        assertThat(StoredFiles.checksums(group.data(id))).isEqualTo(before);
    }

    @Test
    void aLastWriteThatWasCutShortIsCaughtUpFromTheOthers() throws Exception {
        try (TestGroup group = TestGroup.started(root, 3)) {
            SessionId session = group.openSession();
            acquireMany(group, session, 1);
            group.awaitEqualStates();
            String down = group.follower();
            for (int lost : new int[] {1, 5, 100, 3_000}) {
                group.halt(down);
                StoredFiles.cutOff(StoredFiles.find(group.data(down).resolve("log"), ".log"), lost);
                group.perform(TestGroup.acquire(session, 5_000 + lost, "c" + lost));
                group.start(down);
                // Enough for the next round to cut.
                acquireMany(group, session, 6_000 + lost);
                group.awaitEqualStates();
            }
            assertThat(group.fatal).isEmpty();
        }
    }

    // -- what the operator does then

    @Test
    void aNodeWithADamagedLogIsRebuiltFromASnapshotOfTheLeaders() throws Exception {
        try (TestGroup group = TestGroup.started(root, 3)) {
            SessionId session = group.openSession();
            acquireMany(group, session, 1);
            String down = group.follower();
            group.stop(down);
            Path wal = StoredFiles.find(group.data(down).resolve("log"), ".log");
            StoredFiles.flipBit(wal, StoredFiles.lengthOfContent(wal) / 2);
            assertThatThrownBy(() -> group.start(down)).isInstanceOf(NodeStartException.class);
            rebuild(group, session, down);
        }
    }

    @Test
    void aNodeWithADamagedSnapshotIsRebuiltFromASnapshotOfTheLeaders() throws Exception { // H10
        try (TestGroup group = TestGroup.started(root, 3)) {
            SessionId session = group.openSession();
            acquireMany(group, session, 1);
            group.awaitEqualStates();
            String down = group.follower();
            assertThat(group.takeSnapshot(down)).isTrue();
            group.perform(TestGroup.acquire(session, 900, "after the snapshot"));
            group.stop(down);
            Path state = StoredFiles.find(group.data(down).resolve("snapshot"), "state");
            StoredFiles.flipBit(state, Files.size(state) / 2);
            assertThatThrownBy(() -> group.start(down))
                    .isInstanceOf(NodeStartException.class)
                    .hasMessageContainingAll(state.toString(), "is damaged", "Rebuild a node");
            rebuild(group, session, down);
        }
    }

    /** As docs/operations.md says under "Rebuild a node". */
    private static void rebuild(TestGroup group, SessionId session, String down) throws Exception {
        acquireMany(group, session, 2_000);
        String leader = group.leaderId();
        assertThat(group.takeSnapshot(leader)).isTrue();
        StoredFiles.empty(group.data(down).resolve("log"));
        StoredFiles.empty(group.data(down).resolve("snapshot"));
        StoredFiles.copyTree(
                newestSnapshot(group.data(leader)),
                group.data(down)
                        .resolve("snapshot")
                        .resolve(newestSnapshot(group.data(leader)).getFileName()));
        group.perform(TestGroup.acquire(session, 5_000, "while it is copied"));
        group.start(down);
        group.awaitEqualStates();
        group.makeLeader(down);
        assertThat(group.perform(TestGroup.acquire(session, 5_001, "more")))
                .isInstanceOf(Outcome.Granted.class);
        group.haltAll();
        group.startAll();
        group.awaitEqualStates();
        assertThat(group.fatal).isEmpty();
    }

    private static Path newestSnapshot(Path data) throws Exception {
        return StoredFiles.find(data.resolve("snapshot"), "state").getParent();
    }

    @Test
    void aLogThatDoesNotReachBackToTheSnapshotIsCalledSo() throws Exception {
        try (TestGroup group = TestGroup.started(root, 1)) {
            SessionId session = group.openSession();
            for (int round = 1; round <= 3; round++) {
                acquireMany(group, session, round * 1_000);
                assertThat(group.takeSnapshot("n1")).isTrue();
            }
            group.stop("n1");
            StoredFiles.empty(group.data("n1").resolve("snapshot"));
            assertThatThrownBy(() -> group.start("n1"))
                    .isInstanceOf(NodeStartException.class)
                    .hasMessageContainingAll("snapshot", group.data("n1").toString())
                    .hasMessageContaining("Rebuild a node");
        }
    }

    // -- the vote

    @Test
    void aNodeThatForgotItsVoteDoesNotStart() throws Exception {
        try (TestGroup group = TestGroup.started(root, 1)) {
            group.openSession();
            group.stop("n1");
            Files.delete(group.data("n1").resolve(VOTE));
            assertThatThrownBy(() -> group.start("n1"))
                    .isInstanceOf(NodeStartException.class)
                    .hasMessageContainingAll("the node's vote", "is not there", "do not start");
        }
    }

    @Test
    void aNodeWhoseVoteIsDamagedDoesNotStart() throws Exception {
        try (TestGroup group = TestGroup.started(root, 1)) {
            group.openSession();
            group.stop("n1");
            StoredFiles.flipBit(group.data("n1").resolve(VOTE), FIRST_COPY);
            StoredFiles.flipBit(group.data("n1").resolve(VOTE), SECOND_COPY);
            assertThatThrownBy(() -> group.start("n1"))
                    .isInstanceOf(NodeStartException.class)
                    .hasMessageContainingAll("the node's vote", "is damaged", "do not start");
        }
    }

    @Test
    void aNodeWithOneGoodCopyOfItsVoteStartsAndMendsTheOther() throws Exception {
        try (TestGroup group = TestGroup.started(root, 1)) {
            SessionId session = group.openSession();
            group.stop("n1");
            for (int copy : List.of(FIRST_COPY, SECOND_COPY)) {
                StoredFiles.flipBit(group.data("n1").resolve(VOTE), copy);
                group.start("n1");
                group.leaderId();
                group.stop("n1");
            }
            group.start("n1");
            assertThat(group.perform(TestGroup.acquire(session, 1, "after")))
                    .isInstanceOf(Outcome.Granted.class);
            assertThat(group.fatal).isEmpty();
        }
    }

    @Test
    void aNodeThatCannotSaveItsVoteDoesNotStart() throws Exception {
        try (TestGroup group = TestGroup.started(root, 1)) {
            group.openSession();
            group.stop("n1");
            Files.delete(group.data("n1").resolve(VOTE));
            Files.createDirectory(group.data("n1").resolve(VOTE));
            assertThatThrownBy(() -> group.start("n1"))
                    .isInstanceOf(NodeStartException.class)
                    .hasMessageContainingAll("the node's vote", "cannot be read or written");
        }
    }
}
