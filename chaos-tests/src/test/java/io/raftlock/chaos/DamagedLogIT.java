package io.raftlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.cluster.NodeProcess;
import io.raftlock.chaos.cluster.ProcessCluster;
import io.raftlock.chaos.host.Await;
import io.raftlock.client.RaftLockClient;
import io.raftlock.protocol.Response.NodeStatus;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A bit of a node's log is flipped while the node is down. */
class DamagedLogIT {
    private static final int CANNOT_START = 2;
    private static final int HOLDS = 100;
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final List<String> OFTEN = List.of("snapshot:", "  interval: 1s", "  margin: 0");
    private static final Pattern TAKEN = Pattern.compile("Snapshot taken at entry (\\d+)");

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void aNodeWhoseLogIsDamagedRefusesToStartAndIsRebuilt() throws Exception { // E18
        ClusterRun.onThreeNodes("damaged-log", OFTEN, this::run);
    }

    private void run(ProcessCluster cluster) throws Exception {
        try (RaftLockClient holder =
                RaftLockClient.builder()
                        .endpoints(cluster.endpoints())
                        .sessionTtl(Duration.ofMinutes(2))
                        .build()) {
            acquire(holder, "before");
            NodeProcess damaged = aFollower(cluster);
            cluster.awaitAgreement();
            damaged.terminate();
            assertThat(damaged.awaitExit(BOUND)).as("stopped in good order").isZero();

            Path wal = writeAheadLog(damaged);
            flipBit(wal, Files.size(wal) / 2);
            assertRefused(damaged, wal);
            acquire(holder, "meanwhile");

            rebuild(cluster, damaged);
            damaged.start();
            NodeStatus all = cluster.awaitAgreement();
            assertThat(all.holds()).isEqualTo(2 * HOLDS);
        }
    }

    private static void acquire(RaftLockClient holder, String prefix) {
        for (int number = 0; number < HOLDS; number++) {
            holder.lock(prefix + number).acquire();
        }
    }

    private static NodeProcess aFollower(ProcessCluster cluster) {
        NodeProcess leader = cluster.awaitLeader(BOUND);
        return cluster.nodes().stream().filter(node -> node != leader).findFirst().orElseThrow();
    }

    private static void assertRefused(NodeProcess node, Path wal) throws IOException {
        byte[] before = Files.readAllBytes(wal);
        int written = node.log().length();
        node.start();
        assertThat(node.awaitExit(BOUND)).as("exit code").isEqualTo(CANNOT_START);
        assertThat(node.log().substring(written).lines().filter(line -> line.contains("damaged")))
                .singleElement()
                .asString()
                .startsWith("raft-lock: the log in " + wal.getParent())
                .contains(wal.getFileName().toString())
                .contains("Rebuild a node");
        assertThat(Files.readAllBytes(wal)).isEqualTo(before);
    }

    /** As docs/operations.md says under "Rebuild a node". */
    private static void rebuild(ProcessCluster cluster, NodeProcess node) throws IOException {
        NodeProcess leader = cluster.awaitLeader(BOUND);
        long applied = cluster.status(leader).orElseThrow().appliedIndex();
        // It is there under its name a moment after the leader has told of it.
        Path copiedFrom =
                Await.value(
                        "the leader has a snapshot of entry " + applied + " or later",
                        BOUND,
                        () ->
                                TAKEN.matcher(leader.log())
                                        .results()
                                        .map(line -> Long.parseLong(line.group(1)))
                                        .filter(entry -> entry >= applied)
                                        .map(
                                                entry ->
                                                        snapshots(leader)
                                                                .resolve("snapshot_" + entry))
                                        .filter(Files::isDirectory)
                                        .reduce((earlier, later) -> later));
        empty(node.spec().dataDir().resolve("log"));
        empty(snapshots(node));
        Path copied = Files.createDirectory(snapshots(node).resolve(copiedFrom.getFileName()));
        try (Stream<Path> files = Files.list(copiedFrom)) {
            for (Path file : files.toList()) {
                Files.copy(file, copied.resolve(file.getFileName()));
            }
        }
    }

    private static Path snapshots(NodeProcess node) {
        return node.spec().dataDir().resolve("snapshot");
    }

    private static void empty(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                if (!file.equals(folder)) {
                    Files.delete(file);
                }
            }
        }
    }

    private static Path writeAheadLog(NodeProcess node) throws IOException {
        try (Stream<Path> files = Files.list(node.spec().dataDir().resolve("log"))) {
            return files.filter(file -> file.toString().endsWith(".log")).sorted().toList().get(0);
        }
    }

    private static void flipBit(Path file, long at) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.seek(at);
            int before = open.read();
            open.seek(at);
            open.write(before ^ 1);
        }
    }
}
