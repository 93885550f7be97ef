package io.raftlock.server.raft.transport;

/** The peer sent what no node of ours sends; its connection is closed. */
final class MalformedFrameException extends Exception {
    MalformedFrameException(String message) {
        super(message);
    }

    MalformedFrameException(String message, Throwable cause) {
        super(message, cause);
    }
}
