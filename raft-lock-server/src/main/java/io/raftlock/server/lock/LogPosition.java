package io.raftlock.server.lock;

/**
 * Where a command stands in the log: the index of its entry, and its place among the commands of
 * that entry. Positions grow along the log, whoever leads; a grant's position is its fencing token.
 */
public record LogPosition(long value) {
    private static final int SLOT_BITS = 12;

    /** Commands that one entry can hold. */
    public static final int MAX_BATCH = 1 << SLOT_BITS;

    /** Returns the position of the command in that slot of the entry with that index. */
    public static LogPosition of(long index, int slot) {
        Invariant.check(index >= 0 && index < 1L << (Long.SIZE - 1 - SLOT_BITS), "index in range");
        Invariant.check(slot >= 0 && slot < MAX_BATCH, "slot in range");
        return new LogPosition(index << SLOT_BITS | slot);
    }

    public long index() {
        return value >>> SLOT_BITS;
    }
}
