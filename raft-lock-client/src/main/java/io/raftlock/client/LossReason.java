package io.raftlock.client;

import io.raftlock.protocol.EndReason;

/** Why a session, or a hold of a lock, ended without its owner asking for it. */
public enum LossReason {
    /**
     * No node confirmed the session for so long that the cluster may soon give its locks to others.
     * Decided by the clock of this process, without any message.
     */
    LEASE_RAN_OUT,
    /** The cluster says that the session has ended, because it heard too long nothing of it. */
    SESSION_EXPIRED,
    /** The cluster says that the session was closed, though not by this client. */
    SESSION_CLOSED,
    /** The time of {@link AcquireOptions#maxHold} is over. */
    MAX_HOLD_REACHED,
    /** The cluster says that the hold was over already when it was to be released. */
    NO_LONGER_HELD,
    /** {@link RaftLockClient#close} was called. */
    CLIENT_CLOSED;

    static LossReason of(EndReason reason) {
        return switch (reason) {
            case SESSION_EXPIRED -> SESSION_EXPIRED;
            case SESSION_CLOSED -> SESSION_CLOSED;
            case MAX_HOLD_REACHED -> MAX_HOLD_REACHED;
        };
    }
}
