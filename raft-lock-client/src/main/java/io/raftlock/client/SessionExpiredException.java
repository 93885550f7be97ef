package io.raftlock.client;

/**
 * The session ended while the call waited, so its place in the queue is lost and it owns nothing. A
 * new call opens a new session.
 */
public final class SessionExpiredException extends LockException {
    private final LossReason reason;

    SessionExpiredException(LossReason reason) {
        super(
                "the session ended (%s) while this call waited for a lock, so it owns nothing; call again to wait in a new session"
                        .formatted(reason));
        this.reason = reason;
    }

    /** Returns why the session ended. */
    public LossReason reason() {
        return reason;
    }
}
