package io.raftlock.server.format;

/**
 * The bytes were written by a newer version of this program. Nothing may be concluded from them,
 * least of all that they can be skipped: the node has to stop.
 */
public final class FutureFormatException extends RuntimeException {
    FutureFormatException(String what, int found, int known) {
        super(
                "%s has format %d, but this version knows formats up to %d: run a newer version"
                        .formatted(what, found, known));
    }
}
