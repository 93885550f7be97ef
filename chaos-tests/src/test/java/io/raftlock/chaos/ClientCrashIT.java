package io.raftlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.cluster.CrashPoint;
import io.raftlock.chaos.cluster.DeadlyProxy;
import io.raftlock.chaos.cluster.ProcessCluster;
import io.raftlock.chaos.host.Await;
import io.raftlock.chaos.workload.OneAcquire;
import io.raftlock.client.LockGrant;
import io.raftlock.client.RaftLockClient;
import io.raftlock.protocol.Response.NodeStatus;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A client's process dies at each point of the conversation by which it takes a lock. */
class ClientCrashIT {
    /** Hello, OpenSession, Acquire and KeepAlive, and the node's answers to them. */
    private static final int FRAMES = 4;

    private static final int AT_ONCE = 4;
    private static final Duration TTL = Duration.ofSeconds(2);
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final Duration BOUND = Duration.ofSeconds(30);

    /** A lock that is free as late as that was held by the dead. */
    private static final Duration AT_ONCE_FREE = Duration.ofMillis(500);

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void aLockIsFreeAfterTheTtlWhereverItsClientDied() throws Exception { // E35
        ClusterRun.onThreeNodes("client-crash", List.of(), ClientCrashIT::run);
    }

    private static void run(ProcessCluster cluster) throws Exception {
        List<CrashPoint> points = CrashPoint.ofFrames(FRAMES);
        assertThat(points).hasSize(20);
        int port = cluster.awaitLeader(BOUND).spec().clientPort();
        ExecutorService runners = Executors.newFixedThreadPool(AT_ONCE);
        try (RaftLockClient next =
                RaftLockClient.builder().endpoints(cluster.endpoints()).build()) {
            List<Future<Duration>> free = new ArrayList<>();
            for (CrashPoint point : points) {
                free.add(runners.submit(() -> timeUntilFree(port, point, next)));
            }
            List<Duration> times = new ArrayList<>();
            for (Future<Duration> each : free) {
                times.add(each.get(2 * BOUND.toSeconds(), TimeUnit.SECONDS));
            }
            System.out.printf(
                    "a client died at %d points: the lock was free after %d ms at most; %d of the"
                            + " dead had held it%n",
                    times.size(),
                    times.stream().mapToLong(Duration::toMillis).max().orElseThrow(),
                    times.stream().filter(time -> time.compareTo(AT_ONCE_FREE) > 0).count());
            assertThat(times).allMatch(time -> time.compareTo(TTL.plus(GRACE)) < 0);
            assertThat(times).anyMatch(time -> time.compareTo(AT_ONCE_FREE) > 0);
        } finally {
            runners.shutdownNow();
        }
        Await.until("nothing is left", BOUND, () -> isEmpty(cluster.awaitAgreement()));
    }

    private static boolean isEmpty(NodeStatus status) {
        return status.sessions() == 0 && status.holds() == 0 && status.waiters() == 0;
    }

    private static Duration timeUntilFree(int port, CrashPoint point, RaftLockClient next)
            throws Exception {
        String lock = "crash at " + point;
        try (DeadlyProxy proxy = new DeadlyProxy(port, point)) {
            Process process = start(proxy.port(), lock);
            try {
                proxy.threaten(process);
                long killed = proxy.awaitKill(BOUND);
                Optional<LockGrant> grant = next.lock(lock).tryAcquire(TTL.plus(GRACE));
                assertThat(grant).as(lock).isPresent();
                grant.get().release();
                return Duration.ofNanos(System.nanoTime() - killed);
            } finally {
                process.destroyForcibly();
            }
        }
    }

    private static Process start(int port, String lock) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new ProcessBuilder(
                        java,
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OneAcquire.class.getName(),
                        "127.0.0.1:" + port,
                        Long.toString(TTL.toMillis()),
                        lock)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
