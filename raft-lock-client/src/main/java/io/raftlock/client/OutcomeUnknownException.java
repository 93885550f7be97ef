package io.raftlock.client;

/** The request may or may not have taken effect, and the client can find out no more. */
public final class OutcomeUnknownException extends LockException {
    OutcomeUnknownException(String message) {
        super(message);
    }
}
