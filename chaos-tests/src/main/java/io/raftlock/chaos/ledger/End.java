package io.raftlock.chaos.ledger;

/** How a hold, a wait or a session ended. */
public enum End {
    /** It has not, as far as the log goes. */
    NONE,
    /** A wait became a hold. */
    GRANTED,
    RELEASED,
    CANCELLED,
    SESSION_EXPIRED,
    SESSION_CLOSED,
    MAX_HOLD
}
