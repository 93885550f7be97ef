package io.raftlock.client;

import io.raftlock.protocol.ErrorCode;

/** Why a call was refused. More reasons may be added: do not switch over them without a default. */
public enum RefusalCode {
    /** Too many calls are under way; call again a little later. */
    BUSY,
    /** Waiting would close a cycle of owners that wait for each other. */
    DEADLOCK,
    /** As many wait for the lock already as may wait for one lock. */
    QUEUE_FULL,
    /** The name is in use for another kind of lock. */
    WRONG_KIND,
    /** A reader asked for the write lock. */
    UPGRADE_NOT_ALLOWED,
    /** The name of the lock is empty, too long, or has characters that no name may have. */
    INVALID_NAME,
    /** The cluster does not accept this time to live for a session. */
    INVALID_TTL,
    /** This client may not do that. */
    DENIED,
    /** The cluster has as many sessions as it may have. */
    TOO_MANY_SESSIONS,
    /** The owner holds the lock already, or waits for it. */
    ALREADY_HELD,
    /** The acquire was taken back. */
    CANCELLED,
    /** The node does not understand this client: one of the two is too old. */
    INCOMPATIBLE;

    static RefusalCode of(ErrorCode code) {
        return switch (code) {
            case BUSY, TOO_MANY_REQUESTS -> BUSY;
            case MALFORMED, UNSUPPORTED_VERSION -> INCOMPATIBLE;
            case DENIED -> DENIED;
            case INVALID_NAME -> INVALID_NAME;
            case INVALID_TTL -> INVALID_TTL;
            case ALREADY_HELD -> ALREADY_HELD;
            case QUEUE_FULL -> QUEUE_FULL;
            case TOO_MANY_SESSIONS -> TOO_MANY_SESSIONS;
            case WRONG_KIND -> WRONG_KIND;
            case DEADLOCK -> DEADLOCK;
            case UPGRADE_NOT_ALLOWED -> UPGRADE_NOT_ALLOWED;
            // The rest are answers that the client acts on itself; if one gets here after all, the
            // acquire is over and owns nothing.
            case SESSION_EXPIRED, NOT_AVAILABLE, NOT_HOLDER, CANCELLED, ALREADY_COMPLETED ->
                    CANCELLED;
        };
    }
}
