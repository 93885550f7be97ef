package io.raftlock.server.session;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Monotonic time without the stretches in which this process did not run (a long collection, a stop
 * signal, a stalled machine). Sessions are judged by it: keep-alives that arrived in such a stretch
 * could not be read, so it must not count. The tick thread writes it, any thread reads it.
 */
public final class LeaderTime {
    private final AtomicLong pausedNanos = new AtomicLong();

    /** Returns the leader time at that moment of the monotonic clock. */
    public long at(long nowNanos) {
        return nowNanos - pausedNanos.get();
    }

    void skip(long nanos) {
        pausedNanos.addAndGet(nanos);
    }
}
