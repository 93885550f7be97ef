package io.raftlock.chaos.checker;

import io.raftlock.chaos.history.Operation;

/**
 * One operation on a fenced mutex, as a client saw it or as the system may have done it.
 *
 * @param call whose it is, for people
 * @param token of the hold that it is about; 0 if it is not known
 * @param invokedNanos before which it had no effect
 * @param returnedNanos by which it had its effect, or {@link Operation#NEVER} if it may have it at
 *     any time, or not at all
 */
record MutexOp(Kind kind, long call, long token, long invokedNanos, long returnedNanos) {
    enum Kind {
        /** The lock was granted. */
        ACQUIRE,
        /** The hold with that token was given up. */
        RELEASE,
        /** The lock was taken, by the hold with that token if there is one. */
        BUSY,
        /** A release was told that there is no such hold. */
        NOT_HELD,
        /** The hold with that token may have been ended by something else than its release. */
        END
    }

    /** Whether it need not have happened. */
    boolean isOptional() {
        return returnedNanos == Operation.NEVER;
    }
}
