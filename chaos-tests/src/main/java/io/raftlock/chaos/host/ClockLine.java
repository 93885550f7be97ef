package io.raftlock.chaos.host;

/**
 * How a process's monotonic clock goes: it shows {@code true + offset + (true - base) * ppm /
 * 1000000}. It has the same arithmetic as the library in C.
 *
 * @param baseNanos true time at which this line began
 * @param offsetNanos by which the clock was ahead at that moment
 * @param ppm by how many millionths it is faster than the true one since
 */
record ClockLine(long baseNanos, long offsetNanos, long ppm) {
    private static final long MILLION = 1_000_000;

    /** Returns what the clock shows at this true time, which is not before the line's beginning. */
    long shownAt(long trueNanos) {
        long since = trueNanos - baseNanos;
        return trueNanos + offsetNanos + scaled(since, ppm, MILLION);
    }

    /** Returns the true time at which the clock shows this, to within 10 ns. */
    long trueAt(long shownNanos) {
        long since = shownNanos - baseNanos - offsetNanos;
        return baseNanos + scaled(since, MILLION, MILLION + ppm);
    }

    /** Returns a line that begins now where this one ends, and then runs at another rate. */
    ClockLine withRate(long nowNanos, long newPpm) {
        return new ClockLine(nowNanos, shownAt(nowNanos) - nowNanos, newPpm);
    }

    /** Returns a line that begins now so much ahead of where this one ends. */
    ClockLine withJump(long nowNanos, long nanos) {
        return new ClockLine(nowNanos, shownAt(nowNanos) - nowNanos + nanos, ppm);
    }

    // value * factor / divisor would overflow within hours.
    private static long scaled(long value, long factor, long divisor) {
        return value / divisor * factor + value % divisor * factor / divisor;
    }
}
