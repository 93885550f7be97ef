package io.raftlock.client;

/**
 * The lock was held and is not held any more, though its owner did not release it: others may have
 * held it since. An {@link IllegalMonitorStateException}, as {@link
 * java.util.concurrent.locks.Lock#unlock} may throw it; that exception itself, and not this kind of
 * it, is thrown to a thread that never held the lock.
 */
public final class LockLostException extends IllegalMonitorStateException {
    private final LossReason reason;

    LockLostException(String lockName, LossReason reason) {
        super(
                "the lock \"%s\" was lost before it was released (%s); others may have held it since, so check what was done under it"
                        .formatted(lockName, reason));
        this.reason = reason;
    }

    /** Returns why the lock was lost. */
    public LossReason reason() {
        return reason;
    }
}
