package io.raftlock.server.raft.transport;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Applies entries on whoever leads, from four threads, until it is stopped. */
final class TestLoad {
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final TestCluster cluster;
    private final List<Thread> threads;
    private volatile boolean stopped;

    private TestLoad(TestCluster cluster) {
        this.cluster = cluster;
        this.threads = IntStream.range(0, 4).mapToObj(i -> new Thread(this::run)).toList();
    }

    static TestLoad on(TestCluster cluster) {
        TestLoad load = new TestLoad(cluster);
        load.threads.forEach(Thread::start);
        return load;
    }

    private void run() {
        while (!stopped) {
            cluster.nodes.stream()
                    .filter(TestNode::leads)
                    .findFirst()
                    .map(node -> TestCluster.apply(node, "load"))
                    .filter(status -> status.isOk())
                    .ifPresent(status -> acknowledged.incrementAndGet());
        }
    }

    int acknowledged() {
        return acknowledged.get();
    }

    void stop() {
        stopped = true;
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
