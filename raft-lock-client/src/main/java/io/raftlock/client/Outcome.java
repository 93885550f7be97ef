package io.raftlock.client;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * What becomes of one call. It is settled once: by the loop with a value or a failure, or by the
 * caller who gives up. Who settles it first decides, so a grant and a timeout never both count.
 */
final class Outcome<T> {
    private final AtomicReference<@Nullable Object> settled = new AtomicReference<>();
    private final Runnable wake;

    /** How it failed. The exception is made by the thread that throws it, for its stack trace. */
    private record Failure(Supplier<? extends RuntimeException> exception) {}

    private record Value<T>(T value) {}

    private enum GivenUp {
        GIVEN_UP
    }

    private Outcome(Runnable wake) {
        this.wake = wake;
    }

    /** For a caller that waits in {@link #await}. */
    static <T> Outcome<T> forThisThread() {
        Thread waiter = Thread.currentThread();
        return new Outcome<>(() -> LockSupport.unpark(waiter));
    }

    /**
     * For a caller that does not wait.
     *
     * @param wake is run by whoever settles it, and must not block
     */
    static <T> Outcome<T> withCallback(Runnable wake) {
        return new Outcome<>(wake);
    }

    boolean complete(T value) {
        return settle(new Value<>(value));
    }

    boolean fail(Supplier<? extends RuntimeException> exception) {
        return settle(new Failure(exception));
    }

    /** Takes the call back; false if it is too late for that. */
    boolean giveUp() {
        return settled.compareAndSet(null, GivenUp.GIVEN_UP);
    }

    boolean isSettled() {
        return settled.get() != null;
    }

    private boolean settle(Object with) {
        boolean first = settled.compareAndSet(null, with);
        if (first) {
            wake.run();
        }
        return first;
    }

    /** Waits, whatever interrupts; the interrupt flag is set afterwards if there was one. */
    void await() {
        boolean interrupted = false;
        while (!isSettled()) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        restore(interrupted);
    }

    /** Waits as {@link #await()} does, but not beyond the deadline on the loop's clock. */
    void await(Loop loop, long deadlineNanos) {
        boolean interrupted = false;
        for (long left = deadlineNanos - loop.nanoTime();
                left > 0 && !isSettled();
                left = deadlineNanos - loop.nanoTime()) {
            LockSupport.parkNanos(this, left);
            interrupted |= Thread.interrupted();
        }
        restore(interrupted);
    }

    /** Waits until settled, the deadline, or an interrupt, whose flag it leaves alone. */
    void awaitInterruptibly(Loop loop, long deadlineNanos) {
        for (long left = deadlineNanos - loop.nanoTime();
                left > 0 && !isSettled() && !Thread.currentThread().isInterrupted();
                left = deadlineNanos - loop.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
    }

    private static void restore(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Returns the value, or throws the failure.
     *
     * @throws IllegalStateException if it is not settled, or was given up
     */
    @SuppressWarnings("unchecked") // only complete() makes a Value
    T get() {
        Object with = settled.get();
        if (with instanceof Failure failure) {
            throw failure.exception.get();
        }
        if (with instanceof Value<?> value) {
            return (T) value.value;
        }
        throw new IllegalStateException("no outcome to read: " + with);
    }
}
