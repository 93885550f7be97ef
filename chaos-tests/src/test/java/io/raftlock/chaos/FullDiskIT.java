package io.raftlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.raftlock.chaos.checker.HoldChecks;
import io.raftlock.chaos.checker.WaitChecks;
import io.raftlock.chaos.cluster.NodeProcess;
import io.raftlock.chaos.cluster.ProcessCluster;
import io.raftlock.chaos.history.History;
import io.raftlock.chaos.host.Await;
import io.raftlock.chaos.workload.LockWorkload;
import io.raftlock.client.RaftLockClient;
import io.raftlock.protocol.Response.NodeStatus;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The leader's disk takes nothing more. */
class FullDiskIT {
    private static final int FATAL = 70;
    private static final int CLIENTS = 8;
    private static final List<String> NAMES = List.of("a", "b", "c", "d");
    private static final int KEPT = 50;
    private static final long ROOM_BYTES = 64 * 1024;
    private static final Duration BOUND = Duration.ofSeconds(30);

    /** Nobody waits longer, although the leader is gone. */
    private static final Duration WAIT_BOUND = Duration.ofSeconds(10);

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void aLeaderWhoseDiskIsFullEndsAndTheOthersGoOnAndItComesBack() throws Exception {
        ClusterRun.onThreeNodes("full-disk", List.of(), this::run);
    }

    private void run(ProcessCluster cluster) throws InterruptedException {
        History history = new History(System::nanoTime);
        try (RaftLockClient keeper =
                        RaftLockClient.builder()
                                .endpoints(cluster.endpoints())
                                .sessionTtl(Duration.ofMinutes(2))
                                .build();
                LockWorkload workload =
                        LockWorkload.start(cluster.endpoints(), CLIENTS, NAMES, history, 1)) {
            for (int kept = 0; kept < KEPT; kept++) {
                keeper.lock("kept/" + kept).acquire();
            }
            progress(workload);
            NodeProcess leader = cluster.awaitLeader(BOUND);
            long full = System.nanoTime();
            assumeTrue(
                    leader.limitFiles(sizeOfLog(leader) + ROOM_BYTES),
                    "needs prlimit (of util-linux) to make a disk look full");
            assertThat(leader.awaitExit(BOUND)).as("exit code").isEqualTo(FATAL);
            progress(workload);
            leader.start();
            cluster.start();
            progress(workload);
            assertThat(workload.stop(BOUND)).as("all clients came to an end").isTrue();

            System.out.printf(
                    "leader's disk full: longest time without a grant %d ms, longest wait of one"
                            + " client %d ms%n",
                    HoldChecks.longestGap(history.holds(), full).toMillis(),
                    WaitChecks.longest(history.waits(), System.nanoTime()).toMillis());
            assertThat(workload.complaints()).isEmpty();
            assertThat(HoldChecks.mutualExclusion(history.holds())).isEmpty();
            assertThat(HoldChecks.increasingTokens(history.holds())).isEmpty();
            assertThat(WaitChecks.bounded(history.waits(), WAIT_BOUND, System.nanoTime()))
                    .isEmpty();
            assertSaidOnce(leader);
            Await.until(
                    "all nodes have the locks that were never released, and no other",
                    BOUND,
                    () -> {
                        NodeStatus all = cluster.awaitAgreement();
                        return all.holds() == KEPT && all.waiters() == 0;
                    });
        }
    }

    private static void assertSaidOnce(NodeProcess node) {
        assertThat(node.log().lines().filter(line -> line.contains("ends at once")))
                .singleElement()
                .asString()
                .contains(node.spec().dataDir().toString())
                .contains("cannot be written")
                .contains("make room");
    }

    private static long sizeOfLog(NodeProcess node) {
        try (Stream<Path> files = Files.list(node.spec().dataDir().resolve("log"))) {
            return files.mapToLong(file -> file.toFile().length()).max().orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void progress(LockWorkload workload) {
        long goal = workload.cycles() + 200;
        Await.until("200 more cycles", BOUND, () -> workload.cycles() >= goal);
    }
}
