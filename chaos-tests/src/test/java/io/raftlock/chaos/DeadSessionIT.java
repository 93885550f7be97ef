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
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** No leader lasts for as long as sessions live. */
class DeadSessionIT {
    private static final int DEAD = 50;
    private static final int LIVE = 20;
    private static final Duration TTL = Duration.ofSeconds(12);
    private static final Duration LEADS = TTL.dividedBy(2);

    /** Each adds at most 4.5 s, and each leader takes 6 s off. */
    private static final int MAX_CHANGES = 7;

    private static final Duration BOUND = Duration.ofSeconds(30);

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void deadSessionsEndAndLiveOnesDoNotThoughALeaderDiesEveryHalfOfATtl() throws Exception { // H6
        ClusterRun.onThreeNodes("dead-sessions", List.of(), DeadSessionIT::run);
    }

    private static void run(ProcessCluster cluster) throws Exception {
        EventLoopGroup io = new NioEventLoopGroup(1);
        try (HoldingClients live = HoldingClients.open(cluster.endpoints(), LIVE, TTL, BOUND)) {
            NodeProcess first = cluster.awaitLeader(BOUND);
            long openedSince = System.nanoTime();
            openDead(io, first.spec().clientPort());
            int changes = 0;
            do {
                changes++;
                NodeProcess leader = cluster.awaitLeader(BOUND);
                leader.kill();
                leader.start();
                Await.until("the next leader", BOUND, () -> sessions(cluster).isPresent());
            } while (!haveEnded(cluster, LEADS) && changes < MAX_CHANGES);
            Duration lived = Duration.ofNanos(System.nanoTime() - openedSince);
            System.out.printf(
                    "%d sessions of %d s, with a new leader every %d s: all had ended %d ms after"
                            + " their first word, over %d leaders%n",
                    DEAD, TTL.toSeconds(), LEADS.toSeconds(), lived.toMillis(), changes + 1);
            assertThat(lived).isGreaterThanOrEqualTo(TTL);
            assertThat(changes).isLessThan(MAX_CHANGES);
            assertThat(sessions(cluster)).contains(LIVE);
            assertThat(live.losses()).isEmpty();
        } finally {
            io.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    private static void openDead(EventLoopGroup io, int port) throws Exception {
        FrameConnection connection = FrameConnection.open(io, port);
        Batches.each(
                Collections.nCopies(DEAD, connection), BOUND, each -> PlainSession.open(each, TTL));
    }

    /** Whether only the live sessions are left, now or at some time until that has passed. */
    private static boolean haveEnded(ProcessCluster cluster, Duration within) {
        long start = System.nanoTime();
        Await.until(
                "the dead have ended, or the leader's time is over",
                within.plus(BOUND),
                () ->
                        sessions(cluster).equals(Optional.of(LIVE))
                                || System.nanoTime() - start >= within.toNanos());
        return sessions(cluster).equals(Optional.of(LIVE));
    }

    /** Of two that say that they lead, the one of the earlier term has yet to notice the other. */
    private static Optional<Integer> sessions(ProcessCluster cluster) {
        return cluster.statuses().stream()
                .filter(status -> status.role().equals("LEADER"))
                .max(Comparator.comparingLong(NodeStatus::term))
                .map(NodeStatus::sessions);
    }
}
