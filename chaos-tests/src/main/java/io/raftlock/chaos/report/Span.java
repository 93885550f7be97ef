package io.raftlock.chaos.report;

/** From one moment up to another, by the clock of the events. */
record Span(long fromNanos, long toNanos) {
    private static final double NANOS_PER_SECOND = 1e9;

    long nanos() {
        return toNanos - fromNanos;
    }

    double seconds() {
        return nanos() / NANOS_PER_SECOND;
    }

    boolean covers(long atNanos) {
        return fromNanos <= atNanos && atNanos <= toNanos;
    }

    boolean overlaps(Span other) {
        return fromNanos <= other.toNanos && other.fromNanos <= toNanos;
    }

    /** The same, and what comes before and after. */
    Span wider(long beforeNanos, long afterNanos) {
        return new Span(fromNanos - beforeNanos, toNanos + afterNanos);
    }

    /** Returns what is between this and a later one. */
    Span until(Span later) {
        long end = toNanos;
        long next = later.fromNanos;
        return new Span(end, next);
    }

    /** Returns how far a moment is from it: 0 if it is within. */
    long distanceNanos(long atNanos) {
        return Math.max(0, Math.max(fromNanos - atNanos, atNanos - toNanos));
    }

    /** Returns a moment as seconds after the beginning of this. */
    double secondsAt(long atNanos) {
        return (atNanos - fromNanos) / NANOS_PER_SECOND;
    }
}
