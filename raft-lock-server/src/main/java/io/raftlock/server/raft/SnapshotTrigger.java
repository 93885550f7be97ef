package io.raftlock.server.raft;

/**
 * Says when a snapshot is due because of what has been applied since the last one. A node that
 * starts applies all of that again before it can lead, so it is bounded by work and not only by
 * time. Owned by the apply thread.
 */
final class SnapshotTrigger {
    /** Two or three seconds of a start. */
    static final long MIN_COMMANDS = 300_000;

    /** So that the snapshots of a large state cost a fixed share of the work that they save. */
    private static final long COMMANDS_PER_RECORD = 2;

    private final int minEntries;
    private long commands;
    private long entries;

    /**
     * @param minEntries below which the engine takes no snapshot
     */
    SnapshotTrigger(int minEntries) {
        this.minEntries = minEntries;
    }

    void applied(int commandsOfEntry) {
        commands += commandsOfEntry;
        entries++;
    }

    /**
     * Whether to take a snapshot now. Having said so it waits for as much again.
     *
     * @param records how many sessions, holds and waiters a snapshot would have
     */
    boolean isDue(long records) {
        if (commands < Math.max(MIN_COMMANDS, COMMANDS_PER_RECORD * records)
                || entries < minEntries) {
            return false;
        }
        reset();
        return true;
    }

    /** A snapshot was taken or loaded. */
    void reset() {
        commands = 0;
        entries = 0;
    }
}
