package io.raftlock.chaos.client;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Whether actors may begin something. For use by any thread. */
final class Gate {
    private static final long POLL_NANOS = 10_000_000;

    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile boolean quiet;

    void stop() {
        stopped.countDown();
    }

    void quiet(boolean now) {
        quiet = now;
    }

    boolean isStopped() {
        return stopped.getCount() == 0;
    }

    /** Whether nothing new is to begin, for now or for good. */
    boolean isClosed() {
        return quiet || isStopped();
    }

    /** Returns when something may begin, or when nothing will any more. */
    void awaitOpenOrStopped() {
        while (quiet && !isStopped()) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** Waits so long, or until the client is to stop, or the thread is interrupted. */
    void rest(long nanos) {
        try {
            boolean unused = stopped.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
