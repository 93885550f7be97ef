package io.raftlock.bench.load;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/** Where callers report their cycles. Counts only while told to. For use by any thread. */
public final class Meter {
    private static final int DIGITS = 3;

    private final Recorder acquires = new Recorder(DIGITS);
    private final Recorder cycles = new Recorder(DIGITS);
    private final Recorder handOffs = new Recorder(DIGITS);
    private final Recorder renewals = new Recorder(DIGITS);
    private final LongAdder count = new LongAdder();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean measuring;
    private volatile boolean stopping;
    private long startNanos;

    /** One cycle of a caller, by {@link System#nanoTime}. */
    void cycle(long askedNanos, long grantedNanos, long releasedNanos) {
        count.increment();
        if (measuring) {
            acquires.recordValue(grantedNanos - askedNanos);
            cycles.recordValue(releasedNanos - askedNanos);
        }
    }

    /** A lock went from one owner to the next. */
    void handedOff(long nanos) {
        if (measuring) {
            handOffs.recordValue(nanos);
        }
    }

    /** A caller renewed its hold, an operation beside those of the cycle. */
    void renewed(long nanos) {
        count.increment();
        if (measuring) {
            renewals.recordValue(nanos);
        }
    }

    /** A caller failed, and stops. The first failure ends the run. */
    void failed(Throwable cause) {
        failure.compareAndSet(null, cause);
        stopping = true;
    }

    /** Whether callers are to stop after the cycle they are in. */
    boolean stopping() {
        return stopping;
    }

    void stop() {
        stopping = true;
    }

    void startMeasuring() {
        startNanos = System.nanoTime();
        measuring = true;
    }

    /** Ends the measurement and returns what it found. */
    Measurement endMeasuring() {
        measuring = false;
        long nanos = System.nanoTime() - startNanos;
        return new Measurement(
                nanos,
                acquires.getIntervalHistogram(),
                cycles.getIntervalHistogram(),
                handOffs.getIntervalHistogram(),
                renewals.getIntervalHistogram());
    }

    /** Cycles and renewals so far, those of the warm-up too. */
    long count() {
        return count.sum();
    }

    Optional<Throwable> failure() {
        return Optional.ofNullable(failure.get());
    }

    /**
     * What was measured.
     *
     * @param acquire from asking for the lock to having it, in nanoseconds
     * @param cycle from asking for the lock to knowing that it is free again, in nanoseconds
     * @param handOff from a release to the next owner, in nanoseconds; empty if each caller has a
     *     lock of its own
     * @param renewal from asking for a renewal to its answer, in nanoseconds; empty if nobody
     *     renews
     */
    public record Measurement(
            long nanos, Histogram acquire, Histogram cycle, Histogram handOff, Histogram renewal) {
        /**
         * Returns as one what several processes measured over the same time.
         *
         * @param parts at least one
         */
        public static Measurement merged(List<Measurement> parts) {
            long nanos = parts.stream().mapToLong(Measurement::nanos).max().orElseThrow();
            Measurement all = new Measurement(nanos, empty(), empty(), empty(), empty());
            for (Measurement part : parts) {
                all.acquire.add(part.acquire);
                all.cycle.add(part.cycle);
                all.handOff.add(part.handOff);
                all.renewal.add(part.renewal);
            }
            return all;
        }

        private static Histogram empty() {
            return new Histogram(DIGITS);
        }

        /** Returns how many cycles there were in a second, each renewal counted like one. */
        public double cyclesPerSecond() {
            return (cycle.getTotalCount() + renewal.getTotalCount()) * 1e9 / nanos;
        }
    }
}
