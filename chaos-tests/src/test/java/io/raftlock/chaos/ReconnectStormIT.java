package io.raftlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.cluster.ClosedDoor;
import io.raftlock.chaos.cluster.Meters;
import io.raftlock.chaos.cluster.NodeProcess;
import io.raftlock.chaos.cluster.ProcessCluster;
import io.raftlock.chaos.host.Await;
import io.raftlock.chaos.workload.HoldingClients;
import io.raftlock.protocol.Response.NodeStatus;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** All clients lose their leader in one moment, and look for the next one. */
class ReconnectStormIT {
    private static final int CLIENTS = 2_000;
    private static final Duration TTL = Duration.ofSeconds(60);
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final Duration OPEN_BOUND = Duration.ofSeconds(60);
    private static final int SECONDS_WATCHED = 10;

    /** Pauses begin at 30 to 60 ms and grow by a quarter, so this is what jitter leaves of them. */
    private static final int MOST_ATTEMPTS_IN_A_SECOND = 10 * CLIENTS;

    private static final int MOST_ATTEMPTS = 15 * CLIENTS;

    /** What new leaders append for themselves, however many sessions there are. */
    private static final long ENTRIES_OF_ELECTIONS = 20;

    @Test
    @Timeout(value = 4, unit = TimeUnit.MINUTES)
    void clientsThatLoseTheirLeaderAtOnceComeBackWithoutAStorm() throws Exception { // E37
        ClusterRun.onThreeNodes("reconnect-storm", List.of(), ReconnectStormIT::run);
    }

    private static void run(ProcessCluster cluster) throws Exception {
        try (HoldingClients clients =
                HoldingClients.open(cluster.endpoints(), CLIENTS, TTL, OPEN_BOUND)) {
            NodeProcess leader = cluster.awaitLeader(BOUND);
            long entriesBefore = cluster.awaitAgreement().appliedIndex();
            List<NodeProcess> others =
                    cluster.nodes().stream().filter(node -> node != leader).toList();

            Storm storm = watch(clients, leader, () -> accepted(cluster, others));

            NodeStatus after = cluster.awaitAgreement();
            long entries = after.appliedIndex() - entriesBefore;
            System.out.printf(
                    "%,d clients lost their leader: all were back after %d ms, with %s attempts to"
                            + " connect in each second and %d log entries%n",
                    CLIENTS, storm.backAfter().toMillis(), storm.attempts(), entries);
            assertThat(clients.losses()).isEmpty();
            assertThat(after.sessions()).isEqualTo(CLIENTS);
            assertThat(after.holds()).isEqualTo(CLIENTS);
            assertThat(entries).isLessThan(ENTRIES_OF_ELECTIONS);
            assertThat(storm.attempts())
                    .allMatch(inASecond -> inASecond <= MOST_ATTEMPTS_IN_A_SECOND);
            assertThat(storm.attempts().stream().mapToLong(Long::longValue).sum())
                    .isLessThan(MOST_ATTEMPTS);
        }
    }

    /**
     * What followed the death of a leader.
     *
     * @param attempts to connect, to any node, in each second
     */
    private record Storm(Duration backAfter, List<Long> attempts) {}

    private static Storm watch(HoldingClients clients, NodeProcess leader, LongSupplier accepted)
            throws Exception {
        List<Long> attempts = new ArrayList<>();
        long before = accepted.getAsLong();
        long killed = System.nanoTime();
        leader.kill();
        CompletableFuture<Duration> back =
                CompletableFuture.supplyAsync(() -> timeUntilBack(clients, killed));
        try (ClosedDoor door = ClosedDoor.at(leader.spec().clientPort())) {
            for (int second = 1; second <= SECONDS_WATCHED; second++) {
                long end = killed + TimeUnit.SECONDS.toNanos(second);
                Await.until("the second is over", BOUND, () -> System.nanoTime() - end >= 0);
                long now = accepted.getAsLong() + door.knocks();
                attempts.add(now - before);
                before = now;
            }
        }
        return new Storm(back.get(BOUND.toMillis(), TimeUnit.MILLISECONDS), attempts);
    }

    private static Duration timeUntilBack(HoldingClients clients, long killed) {
        Await.until("all are back", BOUND, () -> clients.allConfirmedSince(killed));
        return Duration.ofNanos(System.nanoTime() - killed);
    }

    private static long accepted(ProcessCluster cluster, List<NodeProcess> nodes) {
        return nodes.stream()
                .map(node -> Await.value("the meters", BOUND, () -> cluster.meters(node)))
                .mapToLong(Meters::connectionsAccepted)
                .sum();
    }
}
