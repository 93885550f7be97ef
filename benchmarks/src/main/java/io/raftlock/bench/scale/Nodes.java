package io.raftlock.bench.scale;

import io.raftlock.bench.load.LoadFailure;
import io.raftlock.bench.peer.PeerSystem;
import io.raftlock.bench.server.Await;
import io.raftlock.bench.server.Leaders;
import io.raftlock.bench.server.Servers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The nodes of a cluster, and what they cost. Their numbers count from 0. */
final class Nodes {
    private static final String APPLIED = "raftlock_applied_index";
    private static final String WAITERS = "raftlock_waiters";

    /** By then the compiler of the JVM has ended what the work before gave it. */
    private static final long SETTLE_SECONDS = 60;

    private static final long MEASURE_SECONDS = 20;
    private static final Duration STOP_BOUND = Duration.ofSeconds(20);
    private static final Duration BOUND = Duration.ofMinutes(5);

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

    NodeDisk disk(int node) {
        return new NodeDisk(folder(node).resolve("data"));
    }

    /** Returns all that the node has printed. */
    String log(int node) throws IOException {
        return Files.readString(folder(node).resolve("log"), StandardCharsets.UTF_8);
    }

    /** Returns the number of the node that leads. */
    int awaitLeader() throws InterruptedException {
        return Leaders.await(PeerSystem.RAFT_LOCK, servers);
    }

    /** Returns the number of one that does not lead. */
    int aFollower() throws InterruptedException {
        return (awaitLeader() + 1) % count();
    }

    void awaitWaiters(int number) throws InterruptedException {
        NodeMeter leader = meter(awaitLeader());
        Await.until(
                number + " wait at the leader",
                BOUND,
                () -> leader.value(WAITERS).orElse(-1) == number);
    }

    /** Returns how many processors each node keeps busy, of twenty seconds after a minute. */
    double[] cores() throws IOException, InterruptedException {
        TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
        double[] before = cpuSeconds();
        long start = System.nanoTime();
        TimeUnit.SECONDS.sleep(MEASURE_SECONDS);
        double[] cores = cpuSeconds();
        double seconds = Seconds.since(start);
        for (int node = 0; node < cores.length; node++) {
            cores[node] = (cores[node] - before[node]) / seconds;
        }
        return cores;
    }

    private double[] cpuSeconds() throws IOException {
        double[] seconds = new double[count()];
        for (int node = 0; node < seconds.length; node++) {
            seconds[node] = meter(node).cpuSeconds();
        }
        return seconds;
    }

    /** Collects all heaps, so that no node has to while something is measured. */
    void collectHeaps() throws IOException, InterruptedException {
        for (int node = 0; node < count(); node++) {
            long unused = meter(node).heapBytes();
        }
    }

    /** Ends a node in good order, and returns when it has ended. */
    void stop(int node) throws InterruptedException {
        servers.stop(node);
        Await.until("a node stops", STOP_BOUND, () -> !servers.processes().get(node).isAlive());
    }

    /**
     * Starts a node that was stopped.
     *
     * @return how many seconds it took until it had applied what the leader had before
     */
    double start(int node) throws IOException, InterruptedException {
        double wanted =
                meter(awaitLeader())
                        .value(APPLIED)
                        .orElseThrow(() -> new LoadFailure("the leader does not answer"));
        long start = System.nanoTime();
        servers.restore(node);
        NodeMeter started = meter(node);
        Await.until(
                "a node that was started has applied all",
                BOUND,
                () -> started.value(APPLIED).orElse(0) >= wanted);
        return Seconds.since(start);
    }

    /** Adds lines to a node's configuration, which it reads when it is started. */
    void configure(int node, String lines) throws IOException {
        Files.writeString(folder(node).resolve("raft-lock.yaml"), lines, StandardOpenOption.APPEND);
    }

    /** Deletes what nodes that never run again have on their disks, but for their logs. */
    void deleteData() throws IOException {
        for (int node = 0; node < count(); node++) {
            disk(node).delete();
        }
    }

    private Path folder(int node) {
        return data.resolve("s" + (node + 1));
    }
}
