package io.raftlock.chaos.host;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits that end: each has a bound, and says what it waited for when that is over. */
public final class Await {
    private static final long POLL_NANOS = 20_000_000;

    private Await() {}

    /**
     * Polls until it is so.
     *
     * @param what is awaited, for the message
     * @throws IllegalStateException if it is not so within the bound
     */
    public static void until(String what, Duration bound, BooleanSupplier condition) {
        value(what, bound, () -> condition.getAsBoolean() ? Optional.of(true) : Optional.empty());
    }

    /**
     * Polls until there is a value.
     *
     * @param what is awaited, for the message
     * @throws IllegalStateException if there is none within the bound
     */
    public static <T> T value(String what, Duration bound, Supplier<Optional<T>> supplier) {
        long deadline = System.nanoTime() + bound.toNanos();
        while (true) {
            Optional<T> found = supplier.get();
            if (found.isPresent()) {
                return found.get();
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException(
                        "not within %d ms: %s".formatted(bound.toMillis(), what));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }
}
