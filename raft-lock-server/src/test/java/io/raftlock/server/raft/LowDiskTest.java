package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.SessionId;
import io.raftlock.server.lock.Outcome;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** A disk that fills up. */
@Timeout(60)
class LowDiskTest {
    private static final long LITTLE = TestGroup.LOW_BYTES / 2;

    @TempDir Path root;

    @Test
    void aLeaderWithLittleSpaceLetsAnotherLead() throws Exception {
        try (TestGroup group = TestGroup.started(root, 3)) {
            SessionId session = group.openSession();
            String low = group.leaderId();
            group.freeBytes.put(low, LITTLE);
            TestGroup.await(() -> !group.nodes.get(low).isLeading(), "handed over");
            assertThat(group.leaderId()).isNotEqualTo(low);
            assertThat(group.perform(TestGroup.acquire(session, 1, "a")))
                    .isInstanceOf(Outcome.Granted.class);
            assertThat(group.nodes.get(low).diskSpace()).isEqualTo(new DiskSpace(LITTLE, true));
            group.awaitEqualStates();

            group.freeBytes.remove(low);
            TestGroup.await(() -> !group.nodes.get(low).diskSpace().isLow(), "space again");
            group.makeLeader(low);
            assertThat(group.fatal).isEmpty();
        }
    }

    @Test
    void aLeaderWithLittleSpaceThatNobodyReplacesGoesOn() throws Exception {
        try (TestGroup group = TestGroup.started(root, 1)) {
            SessionId session = group.openSession();
            group.freeBytes.put("n1", LITTLE);
            TestGroup.await(() -> group.leader().diskSpace().isLow(), "seen");
            assertThat(group.perform(TestGroup.acquire(session, 1, "a")))
                    .isInstanceOf(Outcome.Granted.class);
        }
    }

    @Test
    void whereAllHaveLittleSpaceLeadershipComesToRest() throws Exception {
        try (TestGroup group = TestGroup.started(root, 3)) {
            SessionId session = group.openSession();
            group.members.forEach(member -> group.freeBytes.put(member.id(), LITTLE));
            TestGroup.await(
                    () -> group.nodes.values().stream().allMatch(node -> node.diskSpace().isLow()),
                    "all know");
            for (int number = 1; number <= 50; number++) {
                assertThat(group.perform(TestGroup.acquire(session, number, "lock-" + number)))
                        .isInstanceOf(Outcome.Granted.class);
            }
            group.awaitEqualStates();
            assertThat(group.leader().leadership().term()).isLessThan(10);
            assertThat(group.fatal).isEmpty();
        }
    }
}
