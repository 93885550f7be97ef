package io.raftlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.raftlock.chaos.cluster.FrameConnection;
import io.raftlock.chaos.cluster.NodeProcess;
import io.raftlock.chaos.cluster.ProcessCluster;
import io.raftlock.chaos.host.Await;
import io.raftlock.chaos.workload.Latencies;
import io.raftlock.chaos.workload.WaitingLine;
import io.raftlock.client.LockGrant;
import io.raftlock.client.RaftLockClient;
import io.raftlock.protocol.LockName;
import io.raftlock.protocol.Response.NodeStatus;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Locks that very many wait for. */
class HandOffIT {
    private static final int FEW = 10;
    private static final int MANY = 1_000;
    private static final int HAND_OFFS = 300;
    private static final Duration BOUND = Duration.ofSeconds(30);

    /** Far below what work for each waiter would make of it, and above what noise does. */
    private static final double MOST_SLOWDOWN = 2;

    /** One for the release, which passes the lock on, and one for getting back into the line. */
    private static final int ENTRIES_PER_HAND_OFF = 2;

    private static final int CLIENTS = 10;
    private static final Duration PATIENCE = Duration.ofMillis(500);

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void aReleaseWakesOneOfAThousandWaitersAndCostsAsMuchAsWithTen() throws Exception { // E38
        ClusterRun.onThreeNodes("hand-off", List.of(), HandOffIT::handOff);
    }

    private static void handOff(ProcessCluster cluster) throws Exception {
        NodeProcess leader = cluster.awaitLeader(BOUND);
        EventLoopGroup io = new NioEventLoopGroup(1);
        try {
            WaitingLine few = line(io, leader, "few", FEW);
            WaitingLine many = line(io, leader, "many", MANY);
            for (int i = 0; i < HAND_OFFS / 10; i++) {
                few.passOn();
                many.passOn();
            }
            NodeStatus before = status(cluster, leader);
            assertThat(before.waiters()).isEqualTo(FEW + MANY);
            List<Long> fewNanos = new ArrayList<>();
            List<Long> manyNanos = new ArrayList<>();
            for (int i = 0; i < HAND_OFFS; i++) {
                fewNanos.add(few.passOn());
                manyNanos.add(many.passOn());
            }
            NodeStatus after = status(cluster, leader);
            check(fewNanos, manyNanos, after.appliedIndex() - before.appliedIndex());
            many.giveUp();
            few.giveUp();
            NodeStatus end = cluster.awaitAgreement();
            assertThat(end.waiters()).isZero();
            assertThat(end.holds()).isZero();
            assertThat(few.unexpectedPushes()).isZero();
            assertThat(many.unexpectedPushes()).isZero();
        } finally {
            io.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    private static WaitingLine line(EventLoopGroup io, NodeProcess leader, String name, int length)
            throws Exception {
        List<FrameConnection> connections =
                IntStream.rangeClosed(0, length)
                        .mapToObj(i -> FrameConnection.open(io, leader.spec().clientPort()))
                        .toList();
        return WaitingLine.form(connections, new LockName(name));
    }

    private static void check(List<Long> fewNanos, List<Long> manyNanos, long entries) {
        Latencies few = latencies(fewNanos);
        Latencies many = latencies(manyNanos);
        double ratio = (double) many.quantile(0.5).toNanos() / few.quantile(0.5).toNanos();
        System.out.printf(
                "hand-offs with %,d waiters: %s; with %,d waiters: %s; ratio of the medians %.2f;"
                        + " %.2f log entries for each%n",
                FEW, few, MANY, many, ratio, entries / (2.0 * HAND_OFFS));
        assertThat(ratio).isLessThan(MOST_SLOWDOWN);
        assertThat(entries).isLessThanOrEqualTo(2L * HAND_OFFS * ENTRIES_PER_HAND_OFF);
    }

    private static Latencies latencies(List<Long> nanos) {
        return new Latencies(nanos.stream().mapToLong(Long::longValue).toArray());
    }

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void aThousandWaitersThatGiveUpLeaveNothing() throws Exception { // E39
        ClusterRun.onThreeNodes("given-up", List.of(), HandOffIT::giveUp);
    }

    private static void giveUp(ProcessCluster cluster) throws Exception {
        List<RaftLockClient> clients = new ArrayList<>();
        try (RaftLockClient holder = client(cluster)) {
            LockGrant held = holder.lock("wanted").acquire();
            List<CompletableFuture<Optional<LockGrant>>> timed = new ArrayList<>();
            List<CompletableFuture<LockGrant>> cancelled = new ArrayList<>();
            for (int c = 0; c < CLIENTS; c++) {
                RaftLockClient client = client(cluster);
                clients.add(client);
                for (int i = 0; i < MANY / CLIENTS / 2; i++) {
                    timed.add(client.lock("wanted").tryAcquireAsync(PATIENCE));
                    cancelled.add(client.lock("wanted").acquireAsync());
                }
            }
            Await.until(
                    "half of them wait, at least",
                    BOUND,
                    () -> cluster.statuses().stream().anyMatch(s -> s.waiters() >= MANY / 2));
            cancelled.forEach(each -> each.cancel(false));
            for (CompletableFuture<Optional<LockGrant>> each : timed) {
                assertThat(each.get(BOUND.toSeconds(), TimeUnit.SECONDS)).isEmpty();
            }
            Await.until("nobody waits", BOUND, () -> cluster.awaitAgreement().waiters() == 0);
            assertThat(cluster.awaitAgreement().holds()).isOne();
            held.release();
            assertThat(clients.get(0).lock("wanted").tryLock()).as("it is free at once").isTrue();
            clients.get(0).lock("wanted").unlock();
            assertThat(cluster.awaitAgreement().holds()).isZero();
        } finally {
            clients.forEach(RaftLockClient::close);
        }
    }

    private static RaftLockClient client(ProcessCluster cluster) {
        return RaftLockClient.builder().endpoints(cluster.endpoints()).build();
    }

    private static NodeStatus status(ProcessCluster cluster, NodeProcess node) {
        return Await.value("its status", BOUND, () -> cluster.status(node));
    }
}
