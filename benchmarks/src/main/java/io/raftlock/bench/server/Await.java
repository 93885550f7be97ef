package io.raftlock.bench.server;

import io.raftlock.bench.load.LoadFailure;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Waits for what servers do in their own time. */
public final class Await {
    private static final long POLL_MILLIS = 20;

    private Await() {}

    /** What is waited for. */
    public interface Condition {
        boolean holds() throws InterruptedException;
    }

    /**
     * Returns when the condition holds.
     *
     * @throws LoadFailure if it does not within the bound; the message says what was waited for
     */
    public static void until(String what, Duration bound, Condition condition)
            throws InterruptedException {
        long end = System.nanoTime() + bound.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() - end > 0) {
                throw new LoadFailure("not so within %d s: %s".formatted(bound.toSeconds(), what));
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }
}
