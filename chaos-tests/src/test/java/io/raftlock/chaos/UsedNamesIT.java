package io.raftlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.cluster.NodeProcess;
import io.raftlock.chaos.cluster.ProcessCluster;
import io.raftlock.chaos.host.Await;
import io.raftlock.chaos.workload.Batches;
import io.raftlock.client.FencingToken;
import io.raftlock.client.RaftLockClient;
import io.raftlock.protocol.Response.NodeStatus;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Very many names, each used once, in a cluster and by a client. */
class UsedNamesIT {
    private static final List<String> OFTEN = List.of("snapshot:", "  interval: 1s", "  margin: 1");
    private static final int NAMES = 100_000;
    private static final int FIRST_NAMES = 10_000;
    private static final Duration BOUND = Duration.ofSeconds(60);

    /** Less than a client would need to know of a name. */
    private static final long BYTES_PER_NAME = 40;

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void namesThatAreUsedOnceLeaveNothingInClusterOrClient() throws Exception { // E42
        ClusterRun.onThreeNodes("used-names", OFTEN, UsedNamesIT::run);
    }

    private static void run(ProcessCluster cluster) throws Exception {
        try (RaftLockClient client =
                RaftLockClient.builder().endpoints(cluster.endpoints()).build()) {
            FencingToken first = use(client, 0, FIRST_NAMES);
            long snapshotBefore = bytesOfNextSnapshot(cluster, client);
            long heapBefore = usedHeap();

            long start = System.nanoTime();
            use(client, FIRST_NAMES, FIRST_NAMES + NAMES);
            long used = System.nanoTime();

            long grown = usedHeap() - heapBefore;
            long snapshotAfter = bytesOfNextSnapshot(cluster, client);
            NodeStatus status = cluster.awaitAgreement();
            System.out.printf(
                    "%,d names locked and unlocked in %d ms; snapshot of %d bytes, %d before; the"
                            + " client's process has %,d bytes more%n",
                    NAMES,
                    Duration.ofNanos(used - start).toMillis(),
                    snapshotAfter,
                    snapshotBefore,
                    grown);
            assertThat(status.holds()).isZero();
            assertThat(status.waiters()).isZero();
            assertThat((double) snapshotAfter).isLessThanOrEqualTo(1.1 * snapshotBefore);
            assertThat(grown).isLessThan(NAMES * BYTES_PER_NAME);
            assertThat(use(client, 0, 1)).isGreaterThan(first);
        }
    }

    /** Locks and unlocks each name in turn, and returns the token of the first. */
    private static FencingToken use(RaftLockClient client, int from, int to) throws Exception {
        List<Integer> numbers = IntStream.range(from, to).boxed().toList();
        return Batches.each(numbers, BOUND, number -> use(client, number)).get(0);
    }

    private static CompletableFuture<FencingToken> use(RaftLockClient client, int number) {
        return client.lock("name-" + number)
                .acquireAsync()
                .thenCompose(grant -> grant.releaseAsync().thenApply(released -> grant.token()));
    }

    /** Every answer is acknowledged by a later request, so it takes one for the last of them. */
    private static long bytesOfNextSnapshot(ProcessCluster cluster, RaftLockClient client)
            throws Exception {
        use(client, 0, 1);
        use(client, 0, 1);
        NodeProcess node = cluster.nodes().get(0);
        long entry = cluster.awaitAgreement().appliedIndex();
        return Await.value(
                "a snapshot of entry " + entry + " or a later one",
                BOUND,
                () -> newestSnapshot(node, entry).map(UsedNamesIT::size));
    }

    private static Optional<Path> newestSnapshot(NodeProcess node, long entry) {
        try (Stream<Path> all = Files.list(node.spec().dataDir().resolve("snapshot"))) {
            return all.filter(each -> each.getFileName().toString().matches("snapshot_\\d+"))
                    .filter(each -> entryOf(each) >= entry)
                    .max(Comparator.comparing(UsedNamesIT::entryOf))
                    .map(each -> each.resolve("state"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long entryOf(Path snapshot) {
        return Long.parseLong(snapshot.getFileName().toString().substring("snapshot_".length()));
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long usedHeap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
