package io.raftlock.client;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Until when a session lives for sure, by this process's clock. Any thread may ask; the first one
 * that finds it over makes that final, so that nobody sees it live again.
 */
final class Lease {
    private static final long OVER = Long.MIN_VALUE;

    private final AtomicLong end;

    Lease(long endNanos) {
        end = new AtomicLong(notOver(endNanos));
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

    /** Moves the end to a later time; does nothing to a lease that is over. */
    void extend(long nowNanos, long newEndNanos) {
        if (!isLive(nowNanos)) {
            return;
        }
        long wanted = notOver(newEndNanos);
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

    private static long notOver(long nanos) {
        return nanos == OVER ? nanos + 1 : nanos;
    }
}
