package io.raftlock.server.raft;

/**
 * The node cannot start. The message is for its operator: what was wrong, what was expected, what
 * to do.
 */
public final class NodeStartException extends Exception {
    public NodeStartException(String message) {
        super(message);
    }

    public NodeStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
