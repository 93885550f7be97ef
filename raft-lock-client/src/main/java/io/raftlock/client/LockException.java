package io.raftlock.client;

/**
 * A lock operation did not do what it was asked to. The kinds say what that means for the caller:
 * it was refused, the cluster was not reached, the session ended, or the outcome is not known. A
 * lock that was held and lost is told by {@link LockLostException}, which {@link
 * java.util.concurrent.locks.Lock#unlock} wants to be an {@link IllegalMonitorStateException}.
 */
public abstract sealed class LockException extends RuntimeException
        permits ClusterUnavailableException,
                LockRefusedException,
                OutcomeUnknownException,
                SessionExpiredException {
    LockException(String message) {
        super(message);
    }
}
