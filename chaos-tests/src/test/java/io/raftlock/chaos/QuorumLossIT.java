package io.raftlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.raftlock.chaos.cluster.FrameConnection;
import io.raftlock.chaos.cluster.NodeProcess;
import io.raftlock.chaos.cluster.ProcessCluster;
import io.raftlock.chaos.host.Await;
import io.raftlock.chaos.workload.Batches;
import io.raftlock.chaos.workload.HoldingClients;
import io.raftlock.chaos.workload.PlainSession;
import io.raftlock.protocol.Response.NodeStatus;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The cluster has no majority for longer than any session lives. */
class QuorumLossIT {
    private static final int SILENT = 300;
    private static final int CLIENTS = 20;

    /**
     * The leader notes who is silent for a third of it, and gives up sooner after its majority is
     * gone: who was noted would get less than the whole of it afterwards.
     */
    private static final Duration TTL = Duration.ofSeconds(8);

    private static final Duration OUTAGE = TTL.multipliedBy(3).dividedBy(2);
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final Duration BOUND = Duration.ofSeconds(30);

    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void whenAMajorityIsBackNobodyIsEndedBeforeAWholeTtl() throws Exception { // E23
        ClusterRun.onThreeNodes("quorum-loss", List.of(), QuorumLossIT::run);
    }

    private static void run(ProcessCluster cluster) throws Exception {
        NodeProcess leader = cluster.awaitLeader(BOUND);
        EventLoopGroup io = new NioEventLoopGroup(1);
        try (HoldingClients clients =
                HoldingClients.open(cluster.endpoints(), CLIENTS, TTL, BOUND)) {
            openSilent(io, leader.spec().clientPort());
            List<NodeProcess> others =
                    cluster.nodes().stream().filter(node -> node != leader).toList();
            others.forEach(NodeProcess::pause);
            await(OUTAGE, System.nanoTime());
            assertThat(clients.losses())
                    .as("each client says once, by its own clock, what it has lost")
                    .filteredOn(loss -> loss.endsWith("lost its session: LEASE_RAN_OUT"))
                    .hasSize(CLIENTS);
            assertThat(cluster.status(leader).map(NodeStatus::sessions))
                    .as("nobody can be ended without a majority")
                    .isEqualTo(Optional.of(SILENT + CLIENTS));
            others.forEach(NodeProcess::resume);
            check(cluster, System.nanoTime());
        } finally {
            io.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    private static void openSilent(EventLoopGroup io, int port) throws Exception {
        FrameConnection connection = FrameConnection.open(io, port);
        Batches.each(
                Collections.nCopies(SILENT, connection),
                BOUND,
                each -> PlainSession.open(each, TTL));
    }

    private static void await(Duration time, long sinceNanos) {
        Await.until(
                time + " are over",
                time.plus(BOUND),
                () -> System.nanoTime() - sinceNanos >= time.toNanos());
    }

    private static void check(ProcessCluster cluster, long resumed) {
        Await.until(
                "the clients close what they have lost, and nobody else ends",
                BOUND,
                () -> sessions(cluster) == SILENT);
        Await.until("the first of the silent ends", BOUND, () -> sessions(cluster) < SILENT);
        Duration first = Duration.ofNanos(System.nanoTime() - resumed);
        Await.until("all of the silent end", BOUND, () -> sessions(cluster) == 0);
        Duration last = Duration.ofNanos(System.nanoTime() - resumed);
        System.out.printf(
                "a majority was back after %d s: %,d silent sessions of %d s ended %d to %d ms"
                        + " later%n",
                OUTAGE.toSeconds(), SILENT, TTL.toSeconds(), first.toMillis(), last.toMillis());
        assertThat(first).isGreaterThanOrEqualTo(TTL);
        assertThat(last).isLessThan(TTL.plus(GRACE));
        // A leader tells of what it has applied, and so a moment later.
        Await.until(
                "the leader has told of all",
                BOUND,
                () -> ended(cluster, "SESSION_") >= SILENT + CLIENTS);
        assertThat(ended(cluster, "SESSION_EXPIRED")).isEqualTo(SILENT);
        assertThat(ended(cluster, "SESSION_CLOSED")).isEqualTo(CLIENTS);
        assertThat(cluster.awaitAgreement().holds()).isZero();
    }

    private static int sessions(ProcessCluster cluster) {
        return Await.value(
                "the status of the leader",
                BOUND,
                () -> cluster.status(cluster.awaitLeader(BOUND)).map(NodeStatus::sessions));
    }

    /** Counts the sessions of whose end the leader told, for a reason that begins so. */
    private static long ended(ProcessCluster cluster, String reason) {
        return cluster.nodes().stream()
                .flatMap(node -> node.log().lines())
                .filter(line -> line.contains("ended: " + reason))
                .count();
    }
}
