package io.raftlock.chaos.workload;

import io.raftlock.chaos.history.History;
import io.raftlock.client.LossReason;
import io.raftlock.client.RaftLockClient;
import io.raftlock.client.SessionListener;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients that lock and unlock a few names again and again, each with a session and a thread of its
 * own, and write what they see into a history.
 */
public final class LockWorkload implements AutoCloseable {
    private final List<RaftLockClient> clients = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<String> complaints = new ConcurrentLinkedQueue<>();
    private final AtomicLong cycles = new AtomicLong();
    private final History history;
    private volatile boolean stopping;

    private LockWorkload(History history) {
        this.history = history;
    }

    /**
     * Starts the clients.
     *
     * @param seed of the choices of name, way and length of holds
     */
    public static LockWorkload start(
            String[] endpoints, int clientCount, List<String> names, History history, long seed) {
        LockWorkload workload = new LockWorkload(history);
        for (int i = 1; i <= clientCount; i++) {
            workload.add(endpoints, "client-" + i, names, new Random(seed + i));
        }
        workload.threads.forEach(Thread::start);
        return workload;
    }

    /** Cycles of lock and unlock that are complete. */
    public long cycles() {
        return cycles.get();
    }

    /** What no client should have seen: lost sessions and holds, and calls that failed. */
    public List<String> complaints() {
        return List.copyOf(complaints);
    }

    /**
     * Lets each client end the cycle that it is in.
     *
     * @return whether all have within the bound
     */
    public boolean stop(Duration bound) throws InterruptedException {
        stopping = true;
        long deadline = System.nanoTime() + bound.toNanos();
        for (Thread thread : threads) {
            long leftMillis = (deadline - System.nanoTime()) / 1_000_000;
            thread.join(Math.max(1, leftMillis));
        }
        return threads.stream().noneMatch(Thread::isAlive);
    }

    @Override
    public void close() {
        stopping = true;
        clients.forEach(RaftLockClient::close);
    }

    boolean stopping() {
        return stopping;
    }

    History history() {
        return history;
    }

    void cycleDone() {
        cycles.incrementAndGet();
    }

    void complain(String client, String what) {
        if (!stopping) {
            complaints.add(client + ": " + what);
        }
    }

    private void add(String[] endpoints, String name, List<String> names, Random random) {
        RaftLockClient client =
                RaftLockClient.builder().endpoints(endpoints).clientName(name).build();
        client.addSessionListener(
                new SessionListener() {
                    @Override
                    public void onLost(LossReason reason) {
                        complain(name, "the session is lost: " + reason);
                    }
                });
        clients.add(client);
        Thread thread = new Thread(new LockingClient(this, client, name, names, random), name);
        thread.setDaemon(true);
        threads.add(thread);
    }
}
