package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.SessionId;
import io.raftlock.server.format.EntryCodec;
import io.raftlock.server.format.Formats;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.LockStateMachine;
import io.raftlock.server.lock.Outcome;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/** Entries that cannot be applied. */
@Timeout(90)
class EntryFaultsTest {
    @TempDir Path root;

    @Test
    void bytesThatAreNoEntryAreRefusedEverywhereAndStopNobody() throws Exception { // E18
        try (TestGroup group = TestGroup.started(root, 3)) {
            SessionId session = group.openSession();
            List<byte[]> poison =
                    List.of(
                            new byte[0],
                            new byte[] {0},
                            new byte[] {1, 2, 3},
                            new byte[] {1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 99, 0, 0},
                            EntryCodec.join(1, 1, List.of(new byte[] {4, 0, 2, 7, 7})),
                            junk(1_000_000));
            poison.forEach(bytes -> group.leader().appendRaw(bytes));
            assertThat(group.perform(TestGroup.acquire(session, 1, "a")))
                    .isInstanceOf(Outcome.Granted.class);
            group.awaitEqualStates();
            group.haltAll();
            group.startAll();
            assertThat(group.perform(TestGroup.acquire(session, 2, "a")))
                    .isInstanceOf(Outcome.Queued.class);
            group.awaitEqualStates();
            assertThat(group.fatal).isEmpty();
        }
    }

    private static byte[] junk(int length) {
        byte[] bytes = new byte[length];
        new Random(7).nextBytes(bytes);
        bytes[0] = 1;
        return bytes;
    }

    @Test
    void anEntryOfALaterFormatStopsTheNodesAndIsNotSkipped() throws Exception { // E18
        try (TestGroup group = TestGroup.started(root, 3)) {
            group.openSession();
            group.awaitEqualStates();
            RaftGroup leader = group.leader();
            long before = leader.read(LockStateMachine::appliedIndex);
            leader.appendRaw(new byte[] {Formats.NEWEST + 1, 0, 0});
            // The third cannot learn that the entry is committed: no two are left to lead it.
            TestGroup.await(() -> group.fatal.size() >= 2, "the leader and the next leader");
            assertThat(group.fatal)
                    .allMatch(what -> what.contains("run a newer version"))
                    .allMatch(what -> what.contains("has format " + (Formats.NEWEST + 1)));
            assertThat(group.nodes.values())
                    .allMatch(node -> node.read(LockStateMachine::appliedIndex) == before);
            TestGroup.await(() -> leader.leadership().role().equals("ERROR"), "stopped");
            assertThat(TestGroup.verdict(leader, new Command.Stamp()))
                    .isNotInstanceOf(Verdict.Done.class);
        }
    }

    @Test
    void anEntryOfALaterFormatStopsTheNodeAfterEveryRestart() throws Exception { // E18
        try (TestGroup group = TestGroup.started(root, 1)) {
            group.leader().appendRaw(new byte[] {(byte) 200});
            TestGroup.await(() -> group.fatal.size() == 1, "fatal");
            group.halt("n1");
            try {
                group.start("n1");
                TestGroup.await(() -> group.fatal.size() == 2, "fatal again");
            } catch (NodeStartException found) {
                assertThat(found).hasMessageContaining("run a newer version");
            }
        }
    }
}
