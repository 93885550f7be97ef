package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.SessionId;
import io.raftlock.server.format.Formats;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.Outcome;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** Members of two versions in one cluster, as during an upgrade node by node. */
class MixedVersionsTest {
    private static final int OLD = Formats.NEWEST - 1;

    @TempDir Path root;

    @Test
    void theFormatIsThatOfTheOldestMemberAndRisesWhenTheLastIsReplaced() throws Exception { // E66
        try (TestGroup group = new TestGroup(root, 3)) {
            group.start("n1");
            group.start("n2");
            SessionId session = group.openSession();
            // Nobody knows what a member reads that was not there yet.
            assertThat(group.leader().formatOfAll()).isZero();

            start(group, "n3", OLD);
            for (String id : group.nodes.keySet()) {
                group.makeLeader(id);
                TestGroup.await(() -> group.nodes.get(id).formatOfAll() == OLD, "format of all");
            }
            group.awaitEqualStates();

            group.stop("n3");
            start(group, "n3", Formats.NEWEST);
            for (RaftGroup node : group.nodes.values()) {
                TestGroup.await(() -> node.formatOfAll() == Formats.NEWEST, "format of all");
            }
            assertThat(group.perform(new Command.RaiseFormat(Formats.NEWEST)))
                    .isEqualTo(new Outcome.Done());
            assertThat(group.perform(silence(group, session))).isEqualTo(new Outcome.Done());
            group.awaitEqualStates();
            assertThat(group.fatal).isEmpty();
        }
    }

    @Test
    void aNodeThatIsTooOldForTheLogStopsAndSaysWhatToDo() throws Exception { // E66
        try (TestGroup group = TestGroup.started(root, 3)) {
            group.perform(new Command.RaiseFormat(Formats.NEWEST));
            group.awaitEqualStates();
            String old = group.follower();
            group.stop(old);
            try {
                start(group, old, OLD);
                TestGroup.await(() -> !group.fatal.isEmpty(), "the old node stops");
                assertThat(group.fatal).allMatch(what -> what.contains("run a newer version"));
            } catch (NodeStartException refused) {
                assertThat(refused).hasMessageContaining("run a newer version");
            }
            if (group.nodes.containsKey(old)) {
                group.halt(old);
            }
            assertThat(group.openSession()).isNotNull();
        }
    }

    private static void start(TestGroup group, String id, int newestFormat) throws Exception {
        group.start(id, group.node(id, newestFormat));
    }

    private static Command silence(TestGroup group, SessionId session) {
        return group.leader()
                .read(
                        state ->
                                new Command.NoteSilence(
                                        session, state.lastCommand(session).orElseThrow(), 5));
    }
}
