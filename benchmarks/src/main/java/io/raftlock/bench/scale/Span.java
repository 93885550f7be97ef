package io.raftlock.bench.scale;

/** Some time, by {@link System#nanoTime}. */
record Span(long fromNanos, long toNanos) {

    long nanos() {
        return toNanos - fromNanos;
    }

    boolean overlaps(Span other) {
        return fromNanos - other.toNanos <= 0 && other.fromNanos - toNanos <= 0;
    }
}
