package io.raftlock.server.format;

/** The bytes are not the whole, unchanged snapshot that was once written. */
public final class DamagedSnapshotException extends Exception {
    DamagedSnapshotException(String what) {
        super(what);
    }

    DamagedSnapshotException(String what, Throwable cause) {
        super(what, cause);
    }
}
