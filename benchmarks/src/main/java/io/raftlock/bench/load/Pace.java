package io.raftlock.bench.load;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** When the next cycle of a caller begins. */
sealed interface Pace {

    /**
     * Waits until the next cycle is to begin.
     *
     * @return when it was to begin, by {@link System#nanoTime}: its times count from then
     */
    long next();

    /** As soon as the one before has ended. */
    record AtOnce() implements Pace {
        @Override
        public long next() {
            return System.nanoTime();
        }
    }

    /**
     * At fixed moments, which the callers take in turn. If all are busy the moment is past when one
     * takes it, so that waiting for a slow system is part of its latency (no coordinated omission:
     * Gil Tene, "How not to measure latency").
     */
    final class ByClock implements Pace {
        private static final long NANOS = 1_000_000_000L;

        private final int perSecond;
        private final long startNanos;
        private final AtomicLong begun = new AtomicLong();

        ByClock(int perSecond, long startNanos) {
            this.perSecond = perSecond;
            this.startNanos = startNanos;
        }

        @Override
        public long next() {
            long at = startNanos + begun.getAndIncrement() * NANOS / perSecond;
            for (long left = at - System.nanoTime(); left > 0; left = at - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            return at;
        }
    }
}
