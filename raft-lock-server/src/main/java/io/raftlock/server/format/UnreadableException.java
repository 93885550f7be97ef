package io.raftlock.server.format;

import java.io.IOException;

/** The bytes do not have the form that they should have. */
final class UnreadableException extends IOException {
    UnreadableException(String what) {
        super(what);
    }

    UnreadableException(String what, Throwable cause) {
        super(what, cause);
    }
}
