package io.raftlock.server.raft;

/**
 * Says when the commands that wait become an entry. An entry costs the nodes far more than a
 * command does, and callers often come back as soon as their entry is settled: for a moment they
 * are waited for, and go together again. Nobody waits for a few.
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

    /** Returns whether the commands that wait are due, one or more. */
    boolean isDue(int waiting, int inFlight, long nowNanos) {
        if (inFlight > 0) {
            return waiting >= FULL && inFlight < maxInFlight;
        }
        return waiting >= expected || !isPatient(nowNanos);
    }

    /** Returns whether those that wait become due when the patience is over, if no others come. */
    boolean isPatient(long nowNanos) {
        return expected >= FEW && nowNanos - settledNanos < PATIENCE_NANOS;
    }

    /** Returns when the patience is over. */
    long endOfPatienceNanos() {
        return settledNanos + PATIENCE_NANOS;
    }
}
