package io.raftlock.server.lock;

import java.util.List;

/**
 * The whole state at one position of the log. Nothing in it ever changes. Sessions and locks stand
 * in the order in which the log made them, so equal states give equal snapshots.
 *
 * @param format of entries and snapshots, the newest that all members are known to read
 * @param locks whose records can be made while they are read, each time anew
 */
public record Snapshot(
        long appliedIndex,
        long clockMillis,
        long epochBase,
        int format,
        List<SessionRecord> sessions,
        List<LockRecord> locks) {

    /** The format that every version reads. */
    public static final int FIRST_FORMAT = 1;

    /** The state before the first entry. */
    public static final Snapshot EMPTY = new Snapshot(0, 0, 0, FIRST_FORMAT, List.of(), List.of());
}
