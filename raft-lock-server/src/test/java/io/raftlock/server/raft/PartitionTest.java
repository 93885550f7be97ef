package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.SessionId;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.LockStateMachine;
import io.raftlock.server.lock.Outcome;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Two sides of a cluster that cannot reach each other, with clients on both. */
class PartitionTest {
    @TempDir Path root;

    @Test
    void ofTwoSidesTheOneWithoutAMajorityGrantsNothing() throws Exception { // E16
        try (TestGroup group = TestGroup.started(root, 5)) {
            SessionId a = group.openSession();
            SessionId b = group.openSession();
            assertThat(group.perform(TestGroup.acquire(a, 1, "k")))
                    .isInstanceOf(Outcome.Granted.class);
            group.awaitEqualStates();
            RaftGroup before = group.leader();
            List<String> ids =
                    Stream.concat(
                                    Stream.of(group.leaderId()),
                                    group.nodes.keySet().stream().sorted())
                            .distinct()
                            .toList();
            long applied = before.read(LockStateMachine::appliedIndex);

            group.split(ids.get(0), ids.get(1));
            CompletableFuture<Verdict> appended =
                    proposed(before, TestGroup.acquire(a, 2, "small"));
            CompletableFuture<Verdict> waiting = proposed(before, TestGroup.acquire(b, 2, "small"));
            List<RaftGroup> majority = ids.subList(2, 5).stream().map(group.nodes::get).toList();
            TestGroup.await(
                    () -> majority.stream().anyMatch(RaftGroup::isLeading), "a majority's leader");
            RaftGroup after =
                    majority.stream().filter(RaftGroup::isLeading).findFirst().orElseThrow();
            assertThat(TestGroup.verdict(after, TestGroup.acquire(b, 3, "small")))
                    .isInstanceOf(Verdict.Done.class);
            TestGroup.await(() -> !before.isLeading(), "the old leader steps down");
            assertThat(appended.get(20, TimeUnit.SECONDS)).isInstanceOf(Verdict.Unknown.class);
            assertThat(waiting.get(20, TimeUnit.SECONDS)).isInstanceOf(Verdict.NotLeader.class);
            assertThat(TestGroup.verdict(before, TestGroup.acquire(a, 4, "other")))
                    .isInstanceOf(Verdict.NotLeader.class);
            assertThat(before.read(LockStateMachine::appliedIndex)).isEqualTo(applied);

            group.heal();
            group.awaitEqualStates();
            // The requests of the small side never took effect; asked again, they are answered now.
            assertThat(group.perform(TestGroup.acquire(a, 2, "small")))
                    .isInstanceOf(Outcome.Queued.class);
            assertThat(group.perform(TestGroup.acquire(b, 3, "small")))
                    .isInstanceOf(Outcome.Granted.class);
            assertThat(group.fatal).isEmpty();
        }
    }

    private static CompletableFuture<Verdict> proposed(RaftGroup node, Command command) {
        CompletableFuture<Verdict> verdict = new CompletableFuture<>();
        node.propose(command, verdict::complete);
        return verdict;
    }
}
