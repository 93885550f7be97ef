package io.raftlock.client;

/**
 * Translates deadlines on the cluster's clock to this process's clock, never too late. Owned by the
 * loop.
 *
 * <p>An answer that shows {@code clock}, to a frame sent at {@code sent}, says that the cluster's
 * clock stood there at {@code sent} or later. It runs at most 1 % faster than ours, so it does not
 * reach a deadline before {@code sent + 0.99 (deadline - clock)}. Each answer gives such a bound
 * and all of them hold, so the latest is the one to use: {@code base} is the greatest {@code sent -
 * 0.99 clock} seen.
 */
final class ClusterClock {
    /** Nanoseconds in a millisecond, less 1 % for the drift between two clocks. */
    private static final long SAFE_NANOS_PER_MILLI = 990_000;

    private boolean known;
    private long base;

    void sample(long sentNanos, long clockMillis) {
        long candidate = sentNanos - clockMillis * SAFE_NANOS_PER_MILLI;
        if (!known || candidate - base > 0) {
            base = candidate;
            known = true;
        }
    }

    /**
     * Returns when the deadline is on this process's clock.
     *
     * @param askedNanos when the acquire was first sent, before which its hold cannot have begun
     * @param maxHoldMillis how long the hold lasts from its grant on
     */
    long localDeadline(long deadlineMillis, long askedNanos, long maxHoldMillis) {
        long fromRequest = askedNanos + maxHoldMillis * SAFE_NANOS_PER_MILLI;
        if (!known) {
            return fromRequest;
        }
        long fromClock = base + deadlineMillis * SAFE_NANOS_PER_MILLI;
        return fromClock - fromRequest > 0 ? fromClock : fromRequest;
    }
}
