package io.raftlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.cluster.NodeProcess;
import io.raftlock.chaos.cluster.ProcessCluster;
import io.raftlock.chaos.host.Await;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A leader stands still for three times as long as sessions live, and then goes on as if nothing
 * had been. Waits nearly all of its time, so it runs beside the other tests.
 */
@Execution(ExecutionMode.CONCURRENT)
class StandstillIT {
    private static final Duration STANDSTILL = Duration.ofSeconds(100);

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void aLeaderThatWakesUpEndsNoSessionThatOthersKeptAlive() throws Exception { // H4, H5, E28
        ClusterRun.onThreeNodes("standstill", List.of(), StandstillIT::run);
    }

    private static void run(ProcessCluster cluster) throws Exception {
        try (LiveSessions sessions = new LiveSessions(cluster)) {
            NodeProcess leader = cluster.awaitLeader(LiveSessions.BOUND);
            sessions.outlive(
                    "standstill of the leader for " + STANDSTILL.toSeconds() + " s",
                    () -> standStill(leader, sessions));
            assertThat(leader.log()).contains("leads no more");
            sessions.passAllOn();
        }
    }

    private static void standStill(NodeProcess leader, LiveSessions sessions) {
        long stopped = System.nanoTime();
        leader.pause();
        Await.until(
                "all went on, and the standstill is over",
                STANDSTILL.plus(LiveSessions.BOUND),
                () ->
                        sessions.areConfirmedSince(stopped)
                                && System.nanoTime() - stopped >= STANDSTILL.toNanos());
        leader.resume();
    }
}
