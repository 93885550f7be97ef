package io.raftlock.bench.failover;

import io.raftlock.bench.peer.Peer;
import io.raftlock.bench.peer.PeerLock;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * Clients that take and give back a lock of their own all the time, each from one thread, and the
 * longest time that one of them had to wait for its next grant.
 */
final class GrantWatch implements AutoCloseable {
    private static final long PAUSE_MILLIS = 2;

    /** When each client had its grants. */
    private final List<Queue<Long>> all = new ArrayList<>();

    private volatile boolean stopping;

    /** Starts them. */
    GrantWatch(List<Peer> clients) {
        for (int i = 0; i < clients.size(); i++) {
            Queue<Long> grants = new ConcurrentLinkedQueue<>();
            all.add(grants);
            Peer client = clients.get(i);
            String name = "failover/" + i;
            Thread thread = new Thread(() -> cycle(client, name, grants), name);
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Forgets the grants so far, but for the last of each. */
    void forget() {
        for (Queue<Long> grants : all) {
            while (grants.size() > 1) {
                grants.poll();
            }
        }
    }

    /** Whether each client has had a grant after that moment. */
    boolean allGrantedAfter(long nanos) {
        return all.stream().allMatch(grants -> grants.stream().anyMatch(at -> at - nanos > 0));
    }

    /** Returns the longest time between two grants of one client, in nanoseconds. */
    long longestGapNanos() {
        long longest = 0;
        for (Queue<Long> grants : all) {
            long last = 0;
            for (long at : grants) {
                longest = last == 0 ? longest : Math.max(longest, at - last);
                last = at;
            }
        }
        return longest;
    }

    @Override
    public void close() {
        stopping = true;
    }

    private void cycle(Peer client, String name, Queue<Long> grants) {
        try {
            PeerLock[] lock = new PeerLock[1];
            retried(() -> lock[0] = client.lock(name));
            while (!stopping) {
                retried(lock[0]::acquire);
                grants.add(System.nanoTime());
                retried(lock[0]::release);
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private interface Step {
        void run() throws Exception;
    }

    /** What fails while there is no leader is asked again, as a program would have to. */
    @SuppressWarnings("IllegalCatch") // Each system's client fails in its own way.
    private void retried(Step step) throws InterruptedException {
        boolean done = false;
        while (!done && !stopping) {
            try {
                step.run();
                done = true;
            } catch (IllegalMonitorStateException notHeld) {
                done = true;
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        }
    }
}
