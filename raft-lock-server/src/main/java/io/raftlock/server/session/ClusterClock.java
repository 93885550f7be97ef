package io.raftlock.server.session;

import java.util.concurrent.TimeUnit;

/**
 * The clock that explicit leases are measured by. It goes on from the last stamp in the log, by the
 * leader's monotonic clock, so it never goes back, never runs faster than time does, and stands
 * still while nobody leads. One thread sets it, any thread reads it.
 */
public final class ClusterClock {
    private record Base(long millis, long atNanos) {}

    private volatile Base base = new Base(0, 0);
    private volatile boolean running;

    /** Goes on from that stamp. */
    public void start(long stampMillis, long nowNanos) {
        base = new Base(stampMillis, nowNanos);
        running = true;
    }

    /** Stands still until the next start. */
    public void stop(long nowNanos) {
        base = new Base(millis(nowNanos), nowNanos);
        running = false;
    }

    /** Returns the cluster clock in milliseconds. */
    public long millis(long nowNanos) {
        Base from = base;
        return running
                ? from.millis + TimeUnit.NANOSECONDS.toMillis(nowNanos - from.atNanos)
                : from.millis;
    }
}
