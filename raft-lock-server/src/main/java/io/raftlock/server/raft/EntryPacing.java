package io.raftlock.server.raft;

import java.util.function.BooleanSupplier;

/**
 * Says when the commands that wait become an entry. An entry costs the nodes far more than a
 * command does, and callers often come back as soon as their entry is settled: for a moment they
 * are waited for, and go together again. A few are not waited for, unless all that they would do is
 * to queue: then a holder's release often follows, and would have to wait for their entry.
 *
 * <p>Owned by the thread that appends. It looks at no clock itself.
 */
final class EntryPacing {
    /** So many commands are worth an entry beside others that are under way. */
    static final int FULL = 32;

    /** Fewer are not waited for. */
    static final int FEW = 8;

    /** For how long callers are waited for, from when their entry was settled. */
    static final long PATIENCE_NANOS = 600_000;

    private final int maxInFlight;
    private int expected;
    private long settledNanos;

    /**
     * @param maxInFlight entries that may be under way at a time
     */
    EntryPacing(int maxInFlight) {
        this.maxInFlight = maxInFlight;
    }

    /**
     * Entries are settled.
     *
     * @param commands that were in them
     * @param waiting commands that wait already
     */
    void settled(int commands, int waiting, long nowNanos) {
        expected = Math.min(FULL, commands + waiting);
        settledNanos = nowNanos;
    }

    /**
     * Returns whether the commands that wait are due, one or more.
     *
     * @param isUrgent whether one of them does more than queue; asked only where that decides
     */
    boolean isDue(int waiting, int inFlight, long nowNanos, BooleanSupplier isUrgent) {
        if (inFlight > 0) {
            return waiting >= FULL && inFlight < maxInFlight;
        }
        if (nowNanos - settledNanos >= PATIENCE_NANOS) {
            return true;
        }
        if (waiting >= FEW) {
            return waiting >= expected;
        }
        return expected < FEW && isUrgent.getAsBoolean();
    }

    /** Returns when the patience is over. */
    long endOfPatienceNanos() {
        return settledNanos + PATIENCE_NANOS;
    }
}
