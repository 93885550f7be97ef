package io.raftlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.cluster.Await;
import io.raftlock.chaos.cluster.Meters;
import io.raftlock.chaos.cluster.NodeProcess;
import io.raftlock.chaos.cluster.ProcessCluster;
import io.raftlock.chaos.workload.HoldingClients;
import io.raftlock.client.DistributedLock;
import io.raftlock.client.FencingToken;
import io.raftlock.client.LockGrant;
import io.raftlock.client.RaftLockClient;
import io.raftlock.protocol.Response.NodeStatus;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Sessions whose clients live go on, whatever befalls the leader. */
class LiveSessionsIT {
    private static final int SESSIONS = 1_000;
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Duration STANDSTILL = Duration.ofSeconds(100);
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final Duration OPEN_BOUND = Duration.ofSeconds(60);

    private ProcessCluster cluster;
    private HoldingClients clients;

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void noLiveSessionEndsWhateverBefallsTheLeader() throws Exception { // H5, H4, E23, E28
        ClusterRun.onThreeNodes("live-sessions", List.of(), this::run);
    }

    private void run(ProcessCluster running) throws Exception {
        cluster = running;
        long start = System.nanoTime();
        try (HoldingClients opened =
                HoldingClients.open(cluster.endpoints(), SESSIONS, TTL, OPEN_BOUND)) {
            clients = opened;
            List<FencingToken> first = tokens();
            System.out.printf(
                    "%,d clients with a session and a lock each, after %d ms; %d threads%n",
                    SESSIONS,
                    Duration.ofNanos(System.nanoTime() - start).toMillis(),
                    Thread.activeCount());

            outlive("kill -9 of the leader", this::killTheLeader);
            outlive("handover by the leader", this::handOver);
            outlive("kill -9 and restart of all", this::restartAll);
            outlive("standstill of the leader for 100 s", this::stopTheLeader);

            assertThat(tokens()).isEqualTo(first);
            eachLockIsHeldAndThenPassedOn();
        }
        Await.until("all are closed", BOUND, () -> cluster.awaitAgreement().sessions() == 0);
    }

    private interface Fault {
        void strike() throws Exception;
    }

    private void outlive(String what, Fault fault) throws Exception {
        long suspects = clients.suspects();
        long start = System.nanoTime();
        clients.takeLongestUnconfirmed();
        fault.strike();
        long struck = System.nanoTime();
        Await.until("all are confirmed", BOUND, () -> clients.allConfirmedSince(struck));
        System.out.printf(
                "%s: %d suspect, longest time without a confirmation %d ms, took %d ms%n",
                what,
                clients.suspects() - suspects,
                clients.takeLongestUnconfirmed().toMillis(),
                Duration.ofNanos(System.nanoTime() - start).toMillis());
        checkThatNoneEnded();
    }

    private void checkThatNoneEnded() {
        assertThat(clients.losses()).isEmpty();
        cluster.start();
        NodeStatus all = cluster.awaitAgreement();
        assertThat(all.sessions()).isEqualTo(SESSIONS);
        assertThat(all.holds()).isEqualTo(SESSIONS);
        for (NodeProcess node : cluster.nodes()) {
            assertThat(node.log()).doesNotContain("ended: SESSION_");
            assertThat(cluster.meters(node).map(Meters::sessionsEnded)).isEqualTo(Optional.of(0L));
        }
    }

    // -- faults

    private void killTheLeader() {
        NodeProcess leader = cluster.awaitLeader(BOUND);
        long killed = System.nanoTime();
        leader.kill();
        Await.until("all went on", BOUND, () -> clients.allConfirmedSince(killed));
        cluster.start();
    }

    private void handOver() {
        NodeProcess leader = cluster.awaitLeader(BOUND);
        long asked = System.nanoTime();
        leader.terminate();
        assertThat(leader.awaitExit(BOUND)).isZero();
        Await.until("all went on", BOUND, () -> clients.allConfirmedSince(asked));
        cluster.start();
    }

    private void restartAll() {
        cluster.nodes().forEach(NodeProcess::kill);
        cluster.start();
    }

    private void stopTheLeader() {
        NodeProcess leader = cluster.awaitLeader(BOUND);
        long stopped = System.nanoTime();
        leader.pause();
        Await.until(
                "the standstill is over",
                STANDSTILL.plus(BOUND),
                () ->
                        clients.allConfirmedSince(stopped)
                                && System.nanoTime() - stopped >= STANDSTILL.toNanos());
        leader.resume();
    }

    // -- holds

    private List<FencingToken> tokens() {
        List<FencingToken> tokens = new ArrayList<>();
        for (int i = 0; i < SESSIONS; i++) {
            tokens.add(clients.grant(i).token());
        }
        return tokens;
    }

    /** The cluster agrees to a release only if it is by the token that it knows. */
    private void eachLockIsHeldAndThenPassedOn() throws Exception {
        try (RaftLockClient other =
                RaftLockClient.builder().endpoints(cluster.endpoints()).build()) {
            List<CompletableFuture<Optional<LockGrant>>> tried = new ArrayList<>();
            List<CompletableFuture<LockGrant>> waiting = new ArrayList<>();
            for (int i = 0; i < SESSIONS; i++) {
                tried.add(lock(other, i).tryAcquireAsync(Duration.ZERO));
                waiting.add(lock(other, i).acquireAsync());
            }
            for (CompletableFuture<Optional<LockGrant>> attempt : tried) {
                assertThat(attempt.get(BOUND.toSeconds(), TimeUnit.SECONDS)).isEmpty();
            }
            Await.until("all wait", BOUND, () -> cluster.awaitAgreement().waiters() == SESSIONS);
            assertThat(waiting).allMatch(each -> !each.isDone());
            for (int i = 0; i < SESSIONS; i++) {
                clients.grant(i).releaseAsync().get(BOUND.toSeconds(), TimeUnit.SECONDS);
                LockGrant next = waiting.get(i).get(BOUND.toSeconds(), TimeUnit.SECONDS);
                assertThat(next.token()).isGreaterThan(clients.grant(i).token());
            }
        }
    }

    private static DistributedLock lock(RaftLockClient client, int number) {
        return client.lock(HoldingClients.nameOf(number));
    }
}
