package io.raftlock.server.format;

import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.Snapshot;

/**
 * Versions of what stands in logs and snapshots. Members of different versions read one log, so
 * nothing is written in a format before all of them are known to read it.
 */
public final class Formats {
    /** The newest that this version reads and writes. */
    public static final int NEWEST = 2;

    private Formats() {}

    /** Returns the first format in which that kind of command exists. */
    public static int needed(Command.Kind kind) {
        return switch (kind) {
            case OPEN_SESSION,
                    CLOSE_SESSION,
                    EXPIRE_SESSION,
                    ACQUIRE,
                    CANCEL_ACQUIRE,
                    RELEASE,
                    EXPIRE_HOLD,
                    STAMP,
                    MALFORMED ->
                    Snapshot.FIRST_FORMAT;
            case NOTE_SILENCE, NOTE_ALIVE, RAISE_FORMAT -> NEWEST;
        };
    }
}
