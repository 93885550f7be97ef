package io.raftlock.bench.scale;

import io.raftlock.bench.peer.PeerSystem;
import io.raftlock.bench.server.Await;
import io.raftlock.bench.server.Leaders;
import io.raftlock.bench.server.Servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The nodes of a cluster, and what they cost. */
final class Nodes {
    static final String APPLIED = "raftlock_applied_index";

    private static final long MEASURE_SECONDS = 20;
    private static final Duration STOP_BOUND = Duration.ofSeconds(20);

    private final Servers servers;
    private final Path data;

    /**
     * @param data folder of all nodes
     */
    Nodes(Servers servers, Path data) {
        this.servers = servers;
        this.data = data;
    }

    int count() {
        return servers.endpoints().size();
    }

    List<String> endpoints() {
        return servers.endpoints();
    }

    InetSocketAddress address(int node) {
        return servers.address(node);
    }

    NodeMeter meter(int node) {
        return new NodeMeter(servers.adminAddress(node), servers.processes().get(node).pid());
    }

    /** Returns the number of the node that leads, from 0. */
    int awaitLeader() throws InterruptedException {
        return Leaders.await(PeerSystem.RAFT_LOCK, servers);
    }

    /** Returns how many processors the node keeps busy, over twenty seconds. */
    double coresOf(int node) throws IOException, InterruptedException {
        NodeMeter meter = meter(node);
        double before = meter.cpuSeconds();
        long start = System.nanoTime();
        TimeUnit.SECONDS.sleep(MEASURE_SECONDS);
        return (meter.cpuSeconds() - before) / ((System.nanoTime() - start) / 1e9);
    }

    /** Stops a node in good order, and returns when it has been started again. */
    void stopAndStart(int node) throws IOException, InterruptedException {
        servers.stop(node);
        Await.until("a node stops", STOP_BOUND, () -> !servers.processes().get(node).isAlive());
        servers.restore(node);
    }

    /** Returns how many bytes the files of a node have. */
    long diskBytes(int node) throws IOException {
        try (Stream<Path> files = Files.walk(data.resolve("s" + (node + 1)))) {
            return files.mapToLong(Nodes::size).sum();
        }
    }

    private static long size(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.size(file) : 0;
        } catch (NoSuchFileException gone) {
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
