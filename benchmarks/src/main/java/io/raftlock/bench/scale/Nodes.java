package io.raftlock.bench.scale;

import io.raftlock.bench.load.LoadFailure;
import io.raftlock.bench.server.Servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The nodes of a cluster, and what they cost. */
final class Nodes {
    static final String APPLIED = "raftlock_applied_index";

    private static final String LEADING = "raftlock_leading";
    private static final long BOUND_SECONDS = 60;
    private static final long POLL_MILLIS = 50;
    private static final long MEASURE_SECONDS = 20;
    private static final long STOP_SECONDS = 20;

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

    String host() {
        return "127.0.0.1";
    }

    int port(int node) {
        String endpoint = servers.endpoints().get(node);
        return Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1));
    }

    NodeMeter meter(int node) {
        return new NodeMeter(servers.adminAddress(node), servers.processes().get(node).pid());
    }

    /** Returns the number of the node that leads, from 0. */
    int awaitLeader() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(BOUND_SECONDS);
        while (System.nanoTime() - end < 0) {
            for (int node = 0; node < count(); node++) {
                if (meter(node).value(LEADING).orElse(0) > 0) {
                    return node;
                }
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        throw new LoadFailure("no node leads within " + BOUND_SECONDS + " s");
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
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_SECONDS);
        while (servers.processes().get(node).isAlive()) {
            if (System.nanoTime() - end > 0) {
                throw new LoadFailure("a node does not stop within " + STOP_SECONDS + " s");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
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
