package io.raftlock.chaos.workload;

import io.raftlock.client.DistributedLock;
import io.raftlock.client.RaftLockClient;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Threads of one client that lock and unlock, each a lock of its own, and time each cycle. */
public final class SteadyCycles implements AutoCloseable {
    private static final Duration STOP_BOUND = Duration.ofSeconds(10);

    private final RaftLockClient client;
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<Cycle> cycles = new ConcurrentLinkedQueue<>();
    private final Queue<String> complaints = new ConcurrentLinkedQueue<>();
    private volatile boolean stopping;

    private record Cycle(long startNanos, long endNanos) {}

    private SteadyCycles(RaftLockClient client) {
        this.client = client;
    }

    /** Starts the threads. */
    public static SteadyCycles start(String[] endpoints, int threadCount) {
        SteadyCycles all =
                new SteadyCycles(
                        RaftLockClient.builder().endpoints(endpoints).clientName("steady").build());
        for (int i = 0; i < threadCount; i++) {
            DistributedLock lock = all.client.lock("steady/" + i);
            Thread thread = new Thread(() -> all.cycle(lock), "steady-" + i);
            thread.setDaemon(true);
            thread.start();
            all.threads.add(thread);
        }
        return all;
    }

    private void cycle(DistributedLock lock) {
        try {
            while (!stopping) {
                long start = System.nanoTime();
                lock.acquire().release();
                cycles.add(new Cycle(start, System.nanoTime()));
            }
        } catch (RuntimeException e) {
            complaints.add(lock.name() + ": " + e);
        }
    }

    /** What no thread should have met. */
    public List<String> complaints() {
        return List.copyOf(complaints);
    }

    /** Returns how long the cycles took that ran, if only in part, between the two moments. */
    public Latencies between(long fromNanos, long toNanos) {
        return new Latencies(
                cycles.stream()
                        .filter(cycle -> cycle.endNanos > fromNanos && cycle.startNanos < toNanos)
                        .mapToLong(cycle -> cycle.endNanos - cycle.startNanos)
                        .sorted()
                        .toArray());
    }

    @Override
    public void close() {
        stopping = true;
        try {
            for (Thread thread : threads) {
                thread.join(STOP_BOUND.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            client.close();
        }
    }
}
