package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.LockName;
import io.raftlock.protocol.SessionId;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.LockStateMachine;
import io.raftlock.server.lock.Outcome;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** Three real nodes in one JVM. */
@Timeout(60)
class RaftGroupTest {
    @TempDir Path root;

    @Test
    void commandsTakeEffectOnAllNodesAlike() throws Exception {
        try (TestGroup group = TestGroup.started(root, 3)) {
            SessionId session = group.openSession();
            Outcome.Granted granted =
                    (Outcome.Granted) group.perform(TestGroup.acquire(session, 1, "a"));
            assertThat(group.perform(TestGroup.acquire(session, 2, "a")))
                    .isEqualTo(new Outcome.Queued(1));
            assertThat(
                            group.perform(
                                    new Command.Release(
                                            session, 3, 0, new LockName("a"), 1, granted.token())))
                    .isEqualTo(new Outcome.Released());
            group.awaitEqualStates();
            assertThat(group.nodes.get(group.follower()).read(LockStateMachine::holdCount))
                    .isEqualTo(1);
            TestGroup.Events leader = group.events.get(group.leaderId());
            assertThat(leader.batches.get()).isPositive();
            assertThat(leader.startedTerm.get()).isPositive();
        }
    }

    @Test
    void aFollowerRefusesAndKnowsTheLeader() throws Exception {
        try (TestGroup group = TestGroup.started(root, 3)) {
            RaftGroup follower = group.nodes.get(group.follower());
            assertThat(TestGroup.verdict(follower, new Command.Stamp()))
                    .isEqualTo(new Verdict.NotLeader());
            TestGroup.await(
                    () -> follower.leadership().leaderId().equals(group.leaderId()),
                    "leader known");
            assertThat(follower.leadership().leading()).isFalse();
            assertThat(follower.leadership().role()).isEqualTo("FOLLOWER");
            assertThat(confirm(follower)).isFalse();
            assertThat(confirm(group.leader())).isTrue();
            assertThat(group.leader().leadership().role()).isEqualTo("LEADER");
            assertThat(follower.leadership().term()).isEqualTo(group.leader().leadership().term());
        }
    }

    @Test
    void aCommandOfAnotherTermIsNotAppended() throws Exception {
        try (TestGroup group = TestGroup.started(root, 3)) {
            RaftGroup leader = group.leader();
            long term = leader.leadership().term();
            assertThat(inTerm(leader, term)).isEqualTo(new Verdict.Done(new Outcome.Done()));
            assertThat(inTerm(leader, term + 1)).isEqualTo(new Verdict.NotLeader());
            assertThat(inTerm(leader, term - 1)).isEqualTo(new Verdict.NotLeader());
        }
    }

    private static Verdict inTerm(RaftGroup node, long term) {
        CompletableFuture<Verdict> verdict = new CompletableFuture<>();
        node.propose(term, new Command.Stamp(), verdict::complete);
        return verdict.orTimeout(20, TimeUnit.SECONDS).join();
    }

    @Test
    void anotherNodeGoesOnWhenTheLeaderIsGone() throws Exception {
        try (TestGroup group = TestGroup.started(root, 3)) {
            SessionId session = group.openSession();
            for (int number = 1; number <= 50; number++) {
                group.perform(TestGroup.acquire(session, number, "lock-" + number % 7));
            }
            String before = group.leader().digest();
            String dead = group.leaderId();
            group.halt(dead);
            RaftGroup next = group.leader();
            assertThat(next.digest()).isEqualTo(before);
            assertThat(group.perform(TestGroup.acquire(session, 51, "lock-1")))
                    .isInstanceOf(Outcome.Queued.class);
            group.start(dead);
            group.awaitEqualStates();
        }
    }

    @Test
    void leadershipIsHandedOverAtAGracefulStop() throws Exception {
        try (TestGroup group = TestGroup.started(root, 3)) {
            SessionId session = group.openSession();
            String leader = group.leaderId();
            RaftGroup stopping = group.nodes.remove(leader);
            long start = System.nanoTime();
            stopping.stop(Duration.ofSeconds(5));
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isLessThan(Duration.ofSeconds(5));
            assertThat(TestGroup.verdict(stopping, new Command.Stamp()))
                    .isEqualTo(new Verdict.NotLeader());
            assertThat(group.perform(TestGroup.acquire(session, 1, "a")))
                    .isInstanceOf(Outcome.Granted.class);
            group.start(leader);
            group.awaitEqualStates();
        }
    }

    @Test
    void aLeaderThatStopsStaysUntilItsSuccessorLeadsAlsoAsTheOneWhoMakesTheMajority()
            throws Exception {
        try (TestGroup group = TestGroup.started(root, 3)) {
            group.openSession();
            String leader = group.leaderId();
            String successor = group.follower();
            group.awaitEqualStates();
            group.members.stream()
                    .map(Member::id)
                    .filter(id -> !id.equals(leader) && !id.equals(successor))
                    .forEach(group::halt);
            group.stop(leader);
            assertThat(group.nodes.get(successor).isLeading()).isTrue();
        }
    }

    @Test
    void theStateComesBackFromASnapshotAndTheLogAfterIt() throws Exception {
        try (TestGroup group = TestGroup.started(root, 1)) {
            SessionId session = group.openSession();
            for (int number = 1; number <= 20; number++) {
                group.perform(TestGroup.acquire(session, number, "lock-" + number % 7));
            }
            assertThat(group.takeSnapshot("n1")).isTrue();
            group.perform(TestGroup.acquire(session, 21, "lock-1"));
            String before = group.leader().digest();
            group.stop("n1");
            group.start("n1");
            assertThat(group.leader().digest()).isEqualTo(before);
            assertThat(group.perform(TestGroup.acquire(session, 21, "lock-1")))
                    .as("answered from the table")
                    .isInstanceOf(Outcome.Queued.class);
        }
    }

    @Test
    void aFollowerThatWasDownGetsTheSnapshotAndCanLead() throws Exception {
        try (TestGroup group = TestGroup.started(root, 3)) {
            SessionId session = group.openSession();
            String down = group.follower();
            group.perform(TestGroup.acquire(session, 1, "ghost"));
            TestGroup.await(
                    () -> group.nodes.get(down).read(LockStateMachine::holdCount) == 1, "holds");
            group.halt(down);
            for (int number = 2; number <= 40; number++) {
                group.perform(TestGroup.acquire(session, number, "lock-" + number % 7));
                if (number % 10 == 0) {
                    group.nodes.keySet().forEach(group::takeSnapshot);
                }
            }
            group.start(down);
            group.awaitEqualStates();
            assertThat(group.data(down).resolve("snapshot").toFile().list())
                    .as("an installed snapshot")
                    .isNotEmpty();
            group.makeLeader(down);
            assertThat(group.perform(TestGroup.acquire(session, 41, "lock-1")))
                    .isInstanceOf(Outcome.Queued.class);
            group.awaitEqualStates();
        }
    }

    @Test
    void manyCommandsAtOnceShareEntries() throws Exception {
        try (TestGroup group = TestGroup.started(root, 3)) {
            SessionId session = group.openSession();
            RaftGroup leader = group.leader();
            long before = leader.read(LockStateMachine::appliedIndex);
            List<CompletableFuture<Verdict>> verdicts =
                    LongStream.rangeClosed(1, 4_000)
                            .mapToObj(
                                    number -> {
                                        CompletableFuture<Verdict> verdict =
                                                new CompletableFuture<>();
                                        leader.propose(
                                                TestGroup.acquire(session, number, "l" + number),
                                                verdict::complete);
                                        return verdict;
                                    })
                            .toList();
            for (CompletableFuture<Verdict> verdict : verdicts) {
                assertThat(verdict.get(20, TimeUnit.SECONDS)).isInstanceOf(Verdict.Done.class);
            }
            assertThat(leader.read(LockStateMachine::appliedIndex) - before).isLessThan(2_000);
            group.awaitEqualStates();
        }
    }

    private static boolean confirm(RaftGroup node) {
        CompletableFuture<Boolean> confirmed = new CompletableFuture<>();
        node.confirmLeadership(confirmed::complete);
        return confirmed.orTimeout(10, TimeUnit.SECONDS).join();
    }
}
