package io.raftlock.server.simulation;

/** A monotonic clock that runs a little too fast or too slow, from an arbitrary origin. */
record DriftingClock(double rate, long originNanos) {
    long at(long trueNanos) {
        return originNanos + (long) (trueNanos * rate);
    }

    /** How long of true time it takes until this clock has gone on by so much. */
    long trueNanos(long nanos) {
        return (long) (nanos / rate);
    }
}
