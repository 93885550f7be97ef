package io.raftlock.server.format;

/**
 * Versions of what stands in logs and snapshots. Members of different versions read one log, so
 * nothing is written in a format before all of them are known to read it.
 */
public final class Formats {
    /** The newest that this version reads and writes. */
    public static final int NEWEST = 2;

    private Formats() {}
}
