package io.raftlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.cluster.NodeProcess;
import io.raftlock.chaos.cluster.ProcessCluster;
import io.raftlock.chaos.host.Await;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.concurrent.TimeUnit;

/** Sessions whose clients live go on, whatever befalls the leader. */
class LiveSessionsIT {
    @Test
    @Timeout(value = 4, unit = TimeUnit.MINUTES)
    void noLiveSessionEndsWhenLeadersDieOrHandOverOrAllRestart() throws Exception { // H5
        ClusterRun.onThreeNodes("live-sessions", List.of(), LiveSessionsIT::run);
    }

    private static void run(ProcessCluster cluster) throws Exception {
        try (LiveSessions sessions = new LiveSessions(cluster)) {
            sessions.outlive("kill -9 of the leader", () -> killTheLeader(cluster, sessions));
            sessions.outlive("handover by the leader", () -> handOver(cluster, sessions));
            sessions.outlive("kill -9 and restart of all", () -> restartAll(cluster));
            sessions.passAllOn();
        }
        Await.until(
                "all are closed",
                LiveSessions.BOUND,
                () -> cluster.awaitAgreement().sessions() == 0);
    }

    private static void killTheLeader(ProcessCluster cluster, LiveSessions sessions) {
        NodeProcess leader = cluster.awaitLeader(LiveSessions.BOUND);
        long killed = System.nanoTime();
        leader.kill();
        sessions.awaitAllConfirmedSince(killed);
        cluster.start();
    }

    private static void handOver(ProcessCluster cluster, LiveSessions sessions) {
        NodeProcess leader = cluster.awaitLeader(LiveSessions.BOUND);
        long asked = System.nanoTime();
        leader.terminate();
        assertThat(leader.awaitExit(LiveSessions.BOUND)).isZero();
        sessions.awaitAllConfirmedSince(asked);
        cluster.start();
    }

    /** Takes less than a TTL: after a whole one clients would rightly give up. */
    private static void restartAll(ProcessCluster cluster) {
        cluster.nodes().forEach(NodeProcess::kill);
        cluster.start();
    }
}
