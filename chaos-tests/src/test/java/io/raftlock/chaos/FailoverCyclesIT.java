package io.raftlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.checker.HoldChecks;
import io.raftlock.chaos.checker.WaitChecks;
import io.raftlock.chaos.cluster.NodeProcess;
import io.raftlock.chaos.cluster.ProcessCluster;
import io.raftlock.chaos.history.History;
import io.raftlock.chaos.history.Hold;
import io.raftlock.chaos.host.Await;
import io.raftlock.chaos.workload.LockWorkload;
import io.raftlock.protocol.Response.NodeStatus;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Clients lock and unlock while one node after the other is killed and comes back. */
class FailoverCyclesIT {
    private static final int CLIENTS = 8;
    private static final List<String> NAMES = List.of("orders/1", "orders/2", "orders/3", "eu/4");
    private static final int CYCLES = 1_000;
    private static final int CYCLES_PER_STEP = 100;
    private static final int EXTRA_LEADER_KILLS = 2;

    /** Nobody waits longer, whatever is killed. */
    private static final Duration WAIT_BOUND = Duration.ofSeconds(15);

    private static final Duration STEP_BOUND = Duration.ofSeconds(30);

    private final History history = new History(System::nanoTime);
    private int kills;
    private int leaderKills;

    @Test
    @Timeout(value = 4, unit = TimeUnit.MINUTES)
    void locksOutliveEachNodesDeath() throws Exception {
        ClusterRun.onThreeNodes("failover-cycles", List.of(), this::run);
    }

    private void run(ProcessCluster cluster) throws Exception {
        long start = System.nanoTime();
        try (LockWorkload workload =
                LockWorkload.start(cluster.endpoints(), CLIENTS, NAMES, history, start)) {
            progress(workload);
            for (NodeProcess node : cluster.nodes()) {
                killAndRestart(cluster, node, workload);
            }
            for (int i = 0; i < EXTRA_LEADER_KILLS; i++) {
                killAndRestart(cluster, cluster.awaitLeader(STEP_BOUND), workload);
            }
            Await.until(CYCLES + " cycles", STEP_BOUND, () -> workload.cycles() >= CYCLES);
            boolean allEnded = workload.stop(WAIT_BOUND);
            check(cluster, workload, start);
            assertThat(allEnded).as("all clients came to an end").isTrue();
        }
        Await.until(
                "all sessions are closed",
                STEP_BOUND,
                () -> cluster.awaitAgreement().sessions() == 0);
    }

    private void check(ProcessCluster cluster, LockWorkload workload, long start) {
        long now = System.nanoTime();
        System.out.printf(
                "%,d cycles, %d kills (%d of leaders), longest wait of one client %d ms, longest"
                        + " time without a grant %d ms, elapsed %d s%n",
                workload.cycles(),
                kills,
                leaderKills,
                WaitChecks.longest(history.waits(), now).toMillis(),
                HoldChecks.longestGap(history.holds(), firstGrant()).toMillis(),
                (now - start) / 1_000_000_000);
        assertThat(workload.complaints()).isEmpty();
        assertThat(HoldChecks.mutualExclusion(history.holds())).isEmpty();
        assertThat(HoldChecks.increasingTokens(history.holds())).isEmpty();
        assertThat(WaitChecks.bounded(history.waits(), WAIT_BOUND, now)).isEmpty();
        assertThat(WaitChecks.allAnswered(history.waits(), now)).isEmpty();
        assertThat(workload.cycles()).isGreaterThanOrEqualTo(CYCLES);
        Await.until(
                "nothing is held and nobody waits",
                STEP_BOUND,
                () -> {
                    NodeStatus status = cluster.awaitAgreement();
                    return status.holds() == 0 && status.waiters() == 0;
                });
    }

    private long firstGrant() {
        return history.holds().stream().mapToLong(Hold::grantedNanos).min().orElseThrow();
    }

    private void killAndRestart(ProcessCluster cluster, NodeProcess node, LockWorkload workload) {
        String leader = cluster.awaitLeader(STEP_BOUND).spec().id();
        node.kill();
        kills++;
        leaderKills += leader.equals(node.spec().id()) ? 1 : 0;
        progress(workload);
        long position =
                cluster.status(cluster.awaitLeader(STEP_BOUND)).orElseThrow().appliedIndex();
        node.start();
        Await.until(
                node.spec().id() + " has caught up",
                STEP_BOUND,
                () ->
                        cluster.status(node)
                                .filter(status -> status.appliedIndex() >= position)
                                .isPresent());
        progress(workload);
    }

    /** Waits until the clients have done some more cycles. */
    private static void progress(LockWorkload workload) {
        long goal = workload.cycles() + CYCLES_PER_STEP;
        Await.until(
                CYCLES_PER_STEP
                        + " more cycles by the clients, who complain of "
                        + workload.complaints(),
                STEP_BOUND,
                () -> workload.cycles() >= goal);
    }
}
