package io.raftlock.server.raft.transport;

import java.util.concurrent.TimeUnit;

/**
 * How long a peer has left all calls unanswered. TCP tries what was lost on the way again ever more
 * seldom, and a link that was cut for a minute would heal a minute late; a new connection finds it
 * at once. A peer that stands still is asked for one ever more seldom. Any thread.
 */
final class Silence {
    static final long LEAST_NANOS = TimeUnit.SECONDS.toNanos(3);
    static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(60);

    private boolean isAwaiting;
    private long sinceNanos;
    private long boundNanos = LEAST_NANOS;

    /** A call was made. */
    synchronized void asked(long nanos) {
        if (!isAwaiting) {
            isAwaiting = true;
            sinceNanos = nanos;
        }
    }

    /** Something came. */
    synchronized void heard() {
        isAwaiting = false;
        boundNanos = LEAST_NANOS;
    }

    /** Returns, once for each connection, whether it is to be given up. */
    synchronized boolean isTooLong(long nanos) {
        if (!isAwaiting || nanos - sinceNanos < boundNanos) {
            return false;
        }
        isAwaiting = false;
        boundNanos = Math.min(2 * boundNanos, MOST_NANOS);
        return true;
    }
}
