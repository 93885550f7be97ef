package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.SessionId;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.Outcome;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A leader that is cut off, or that hands over. */
@Timeout(60)
class LeaderFaultsTest {
    @TempDir Path root;

    @Test
    void aLeaderThatIsCutOffConfirmsNothingAndCommitsNothing() throws Exception {
        try (TestGroup group = TestGroup.started(root, 3)) {
            SessionId session = group.openSession();
            String old = group.leaderId();
            RaftGroup cutOff = group.nodes.get(old);
            group.isolate(old);
            CompletableFuture<Verdict> verdict = new CompletableFuture<>();
            CompletableFuture<Boolean> confirmed = new CompletableFuture<>();
            cutOff.propose(TestGroup.acquire(session, 1, "a"), verdict::complete);
            cutOff.confirmLeadership(confirmed::complete);
            assertThat(confirmed.get(10, TimeUnit.SECONDS)).isFalse();
            assertThat(verdict.get(10, TimeUnit.SECONDS)).isInstanceOf(Verdict.Unknown.class);
            TestGroup.await(() -> !cutOff.leadership().leading(), "stepped down");
            assertThat(TestGroup.verdict(cutOff, new Command.Stamp()))
                    .isEqualTo(new Verdict.NotLeader());
            assertThat(group.events.get(old).stops.get()).isPositive();
            assertThat(group.perform(TestGroup.acquire(session, 2, "a")))
                    .isInstanceOf(Outcome.Granted.class);
            group.heal();
            group.awaitEqualStates();
            assertThat(group.perform(TestGroup.acquire(session, 1, "a")))
                    .isInstanceOf(Outcome.Queued.class);
        }
    }

    @Test
    void handingOverToNobodyFailsAndTheLeaderGoesOn() throws Exception {
        try (TestGroup group = TestGroup.started(root, 3)) {
            String leader = group.leaderId();
            for (String id : List.of("n1", "n2", "n3")) {
                if (!id.equals(leader)) {
                    group.halt(id);
                }
            }
            RaftGroup alone = group.nodes.get(leader);
            long start = System.nanoTime();
            assertThat(alone.handOver(Waiting.deadlineIn(Duration.ofSeconds(1)))).isFalse();
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isLessThan(Duration.ofSeconds(3));
        }
    }

    @Test
    void leadershipGoesToTheMemberThatIsUp() throws Exception {
        try (TestGroup group = TestGroup.started(root, 3)) {
            SessionId session = group.openSession();
            for (int round = 0; round < 3; round++) {
                group.awaitEqualStates();
                String down = group.follower();
                group.halt(down);
                RaftGroup old = group.leader();
                assertThat(old.handOver(Waiting.deadlineIn(Duration.ofSeconds(10)))).isTrue();
                assertThat(group.perform(new Command.Stamp())).isEqualTo(new Outcome.Done());
                group.start(down);
                assertThat(group.leader()).isNotSameAs(old);
            }
            assertThat(group.perform(TestGroup.acquire(session, 1, "a")))
                    .isInstanceOf(Outcome.Granted.class);
        }
    }
}
