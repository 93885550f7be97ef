package io.raftlock.server.raft;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what nobody tells of. */
final class Waiting {
    private static final long STEP_NANOS = Duration.ofMillis(2).toNanos();

    private Waiting() {}

    /**
     * Returns whether the condition came to hold before the time passed or somebody interrupted.
     */
    static boolean until(BooleanSupplier condition, BooleanSupplier deadlinePassed) {
        while (!condition.getAsBoolean()) {
            if (deadlinePassed.getAsBoolean() || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(STEP_NANOS);
        }
        return true;
    }

    /** Returns what says when so much time has passed from now on. */
    static BooleanSupplier deadlineIn(Duration time) {
        long start = System.nanoTime();
        return () -> System.nanoTime() - start >= time.toNanos();
    }
}
