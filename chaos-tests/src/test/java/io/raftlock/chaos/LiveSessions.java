package io.raftlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.cluster.Meters;
import io.raftlock.chaos.cluster.NodeProcess;
import io.raftlock.chaos.cluster.ProcessCluster;
import io.raftlock.chaos.host.Await;
import io.raftlock.chaos.workload.HoldingClients;
import io.raftlock.client.DistributedLock;
import io.raftlock.client.FencingToken;
import io.raftlock.client.LockGrant;
import io.raftlock.client.RaftLockClient;
import io.raftlock.protocol.Response.NodeStatus;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A thousand clients that live, each with a session and a lock, and a cluster that has faults. */
final class LiveSessions implements AutoCloseable {
    static final Duration TTL = Duration.ofSeconds(30);
    static final Duration BOUND = Duration.ofSeconds(30);
    private static final int SESSIONS = 1_000;
    private static final Duration OPEN_BOUND = Duration.ofSeconds(60);

    private final ProcessCluster cluster;
    private final HoldingClients clients;
    private final List<FencingToken> firstTokens;

    LiveSessions(ProcessCluster cluster) throws Exception {
        this.cluster = cluster;
        long start = System.nanoTime();
        clients = HoldingClients.open(cluster.endpoints(), SESSIONS, TTL, OPEN_BOUND);
        firstTokens = tokens();
        System.out.printf(
                "%,d clients with a session and a lock each, after %d ms; %d threads%n",
                SESSIONS, millisSince(start), Thread.activeCount());
    }

    /** What befalls the cluster. */
    interface Fault {
        void strike() throws Exception;
    }

    /** Has it happen, and checks by clients and nodes that all sessions and holds live on. */
    void outlive(String what, Fault fault) throws Exception {
        long suspects = clients.suspects();
        long start = System.nanoTime();
        clients.takeLongestUnconfirmed();
        fault.strike();
        awaitAllConfirmedSince(System.nanoTime());
        System.out.printf(
                "%s: %d suspect, longest time without a confirmation %d ms, took %d ms%n",
                what,
                clients.suspects() - suspects,
                clients.takeLongestUnconfirmed().toMillis(),
                millisSince(start));
        checkThatNoneEnded();
    }

    void awaitAllConfirmedSince(long nanos) {
        Await.until("all are confirmed", BOUND, () -> areConfirmedSince(nanos));
    }

    boolean areConfirmedSince(long nanos) {
        return clients.allConfirmedSince(nanos);
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

    /**
     * Checks that another client gets none of the locks before it is released, and then gets it.
     * The cluster agrees to a release only by the token that it knows, so that is still the first.
     */
    void passAllOn() throws Exception {
        assertThat(tokens()).isEqualTo(firstTokens);
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
            assertThat(waiting).noneMatch(CompletableFuture::isDone);
            for (int i = 0; i < SESSIONS; i++) {
                clients.grant(i).releaseAsync().get(BOUND.toSeconds(), TimeUnit.SECONDS);
                LockGrant next = waiting.get(i).get(BOUND.toSeconds(), TimeUnit.SECONDS);
                assertThat(next.token()).isGreaterThan(firstTokens.get(i));
            }
        }
    }

    private static DistributedLock lock(RaftLockClient client, int number) {
        return client.lock(HoldingClients.nameOf(number));
    }

    private List<FencingToken> tokens() {
        return IntStream.range(0, SESSIONS).mapToObj(i -> clients.grant(i).token()).toList();
    }

    private static long millisSince(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos).toMillis();
    }

    @Override
    public void close() {
        clients.close();
    }
}
