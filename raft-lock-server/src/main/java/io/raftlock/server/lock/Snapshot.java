package io.raftlock.server.lock;

import java.util.List;

/**
 * The whole state at one position of the log. Everything in it is immutable. Sessions and locks
 * stand in the order in which the log made them, so equal states give equal snapshots.
 */
public record Snapshot(
        long appliedIndex,
        long clockMillis,
        long epochBase,
        List<SessionRecord> sessions,
        List<LockRecord> locks) {

    /** The state before the first entry. */
    public static final Snapshot EMPTY = new Snapshot(0, 0, 0, List.of(), List.of());
}
