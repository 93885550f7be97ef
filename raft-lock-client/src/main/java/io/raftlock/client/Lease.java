package io.raftlock.client;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Until when a session lives for sure, by this process's clock. Any thread may ask; the first one
 * that finds it over makes that final, so that nobody sees it live again.
 */
final class Lease {
    private static final long OVER = Long.MIN_VALUE;

    /** The two clocks may run apart by that much. */
    private static final int DRIFT_DIVISOR = 100;

    private static final long MARGIN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int SUSPECT_DIVISOR = 3;

    private final long lengthNanos;
    private final long unsuspectedNanos;
    private final AtomicLong end;

    /**
     * @param ttlNanos for which the cluster keeps the session after a sign of life
     * @param sentNanos when the frame was sent that opened it
     */
    Lease(long ttlNanos, long sentNanos) {
        lengthNanos = ttlNanos - ttlNanos / DRIFT_DIVISOR - MARGIN_NANOS;
        unsuspectedNanos = ttlNanos / SUSPECT_DIVISOR;
        end = new AtomicLong(notOver(sentNanos + lengthNanos));
    }

    boolean isLive(long nowNanos) {
        for (long seen = end.get(); seen != OVER; seen = end.get()) {
            if (nowNanos - seen < 0) {
                return true;
            }
            if (end.compareAndSet(seen, OVER)) {
                return false;
            }
        }
        return false;
    }

    /**
     * Moves the end to a later time; does nothing to a lease that is over.
     *
     * @param sentNanos when the frame was sent that the cluster confirmed
     */
    void confirm(long nowNanos, long sentNanos) {
        if (!isLive(nowNanos)) {
            return;
        }
        long wanted = notOver(sentNanos + lengthNanos);
        long seen = end.get();
        while (seen != OVER && wanted - seen > 0 && !end.compareAndSet(seen, wanted)) {
            seen = end.get();
        }
    }

    void finish() {
        end.set(OVER);
    }

    /** Returns 0 when it is over. */
    long leftNanos(long nowNanos) {
        long seen = end.get();
        return seen == OVER ? 0 : Math.max(0, seen - nowNanos);
    }

    /** Returns when it turns suspect unless confirmed, as a pause from now; 0 if it is. */
    long suspectInNanos(long nowNanos) {
        return Math.max(0, leftNanos(nowNanos) - (lengthNanos - unsuspectedNanos));
    }

    private static long notOver(long nanos) {
        return nanos == OVER ? nanos + 1 : nanos;
    }
}
