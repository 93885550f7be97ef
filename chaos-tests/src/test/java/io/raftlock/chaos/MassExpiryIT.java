package io.raftlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.raftlock.chaos.cluster.FrameConnection;
import io.raftlock.chaos.cluster.NodeProcess;
import io.raftlock.chaos.cluster.ProcessCluster;
import io.raftlock.chaos.host.Await;
import io.raftlock.chaos.workload.Batches;
import io.raftlock.chaos.workload.Latencies;
import io.raftlock.chaos.workload.PlainSession;
import io.raftlock.chaos.workload.SteadyCycles;
import io.raftlock.protocol.LockName;
import io.raftlock.protocol.Response;
import io.raftlock.protocol.Response.NodeStatus;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Very many clients fall silent in one moment, and the others hardly notice. */
class MassExpiryIT {
    private static final int SESSIONS = 50_000;
    private static final int CONNECTIONS = 8;
    private static final int STEADY_THREADS = 4;
    private static final int FEWEST_CYCLES = 1_000;
    private static final double MOST_SLOWDOWN = 5;

    /** Longer than it takes to open all. */
    private static final Duration TTL = Duration.ofSeconds(15);

    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The leader looks for the expired every 50 ms, and has 512 expiries under way at most. */
    private static final Duration SHORTEST_BY_BATCHES = Duration.ofMillis(50L * SESSIONS / 512);

    /** Between the end of the first session and the moment at which that is seen. */
    private static final Duration SEEN_LATE = Duration.ofSeconds(1);

    @Test
    @Timeout(value = 4, unit = TimeUnit.MINUTES)
    void sessionsThatEndAllAtOnceDoNotHoldUpTheOthers() throws Exception { // E36
        ClusterRun.onThreeNodes("mass-expiry", List.of(), MassExpiryIT::run);
    }

    private static void run(ProcessCluster cluster) throws Exception {
        NodeProcess leader = cluster.awaitLeader(BOUND);
        NodeStatus before = status(cluster, leader);
        EventLoopGroup io = new NioEventLoopGroup(1);
        try (SteadyCycles steady = SteadyCycles.start(cluster.endpoints(), STEADY_THREADS)) {
            openAll(io, leader.spec().clientPort());
            long silent = System.nanoTime();
            assertThat(status(cluster, leader).sessions()).isEqualTo(SESSIONS + 1);
            Await.until("one ends", BOUND, () -> sessions(cluster, leader) <= SESSIONS);
            long first = System.nanoTime();
            Await.until("all end", BOUND, () -> sessions(cluster, leader) == 1);
            long last = System.nanoTime();

            Latencies quiet = steady.between(silent + SETTLE_NANOS, first - SETTLE_NANOS);
            Latencies busy = steady.between(first, last);
            System.out.printf(
                    "%,d sessions ended in %d ms, the last %d ms after all fell silent; cycles of"
                            + " others before that: %s; and meanwhile: %s%n",
                    SESSIONS,
                    Duration.ofNanos(last - first).toMillis(),
                    Duration.ofNanos(last - silent).toMillis(),
                    quiet,
                    busy);
            NodeStatus after = status(cluster, leader);
            assertThat(after.role()).isEqualTo("LEADER");
            assertThat(after.term()).isEqualTo(before.term());
            assertThat(Duration.ofNanos(last - silent)).isLessThan(TTL.plus(GRACE));
            assertThat(Duration.ofNanos(last - first))
                    .isGreaterThan(SHORTEST_BY_BATCHES.minus(SEEN_LATE));
            assertThat(steady.complaints()).isEmpty();
            assertThat(busy.count()).isGreaterThan(FEWEST_CYCLES);
            assertThat(busy.quantile(0.99).toNanos())
                    .isLessThan((long) (MOST_SLOWDOWN * quiet.quantile(0.99).toNanos()));
        } finally {
            io.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
        Await.until("nothing is left", BOUND, () -> cluster.awaitAgreement().sessions() == 0);
        assertThat(cluster.awaitAgreement().holds()).isZero();
    }

    /**
     * Opens all sessions, has each take a lock, and lets all be heard together for the last time.
     */
    private static void openAll(EventLoopGroup io, int port) throws Exception {
        List<FrameConnection> connections =
                IntStream.range(0, CONNECTIONS)
                        .mapToObj(i -> FrameConnection.open(io, port))
                        .toList();
        List<Integer> numbers = IntStream.range(0, SESSIONS).boxed().toList();
        List<PlainSession> sessions =
                Batches.each(
                        numbers,
                        BOUND,
                        i -> PlainSession.open(connections.get(i % CONNECTIONS), TTL));
        Batches.each(numbers, BOUND, i -> acquire(sessions.get(i), new LockName("mass/" + i)));
        Batches.each(sessions, BOUND, PlainSession::attach);
    }

    private static CompletableFuture<Response> acquire(PlainSession session, LockName name) {
        CompletableFuture<Response> attached = session.attach();
        return session.acquire(name)
                .thenCombine(
                        attached,
                        (granted, unused) -> PlainSession.as(Response.Granted.class, granted));
    }

    private static long sessions(ProcessCluster cluster, NodeProcess node) {
        return Await.value("its meters", BOUND, () -> cluster.meters(node)).sessions();
    }

    private static NodeStatus status(ProcessCluster cluster, NodeProcess node) {
        return Await.value("its status", BOUND, () -> cluster.status(node));
    }
}
