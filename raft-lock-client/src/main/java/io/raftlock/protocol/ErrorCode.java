package io.raftlock.protocol;

/** Why a request was refused: it had no effect. The numbers are part of the protocol. */
public enum ErrorCode {
    /** Too many requests are under way; nothing was proposed, ask again a little later. */
    BUSY(1),
    /** The request cannot be read, or a value in it is out of bounds. */
    MALFORMED(2),
    UNSUPPORTED_VERSION(3),
    /** The session does not exist: it expired, was closed, or never was. */
    SESSION_EXPIRED(4),
    /** The secret is not the session's. */
    DENIED(5),
    INVALID_NAME(6),
    INVALID_TTL(7),
    /** The lock is taken and the request did not want to wait. */
    NOT_AVAILABLE(8),
    /** The owner holds the lock already, or waits for it. */
    ALREADY_HELD(9),
    /** The owner does not hold the lock with this token. */
    NOT_HOLDER(10),
    QUEUE_FULL(11),
    /** The acquire was cancelled before it arrived or while it waited. */
    CANCELLED(12),
    /** The client has said that it has the answer of this request; it is not kept any more. */
    ALREADY_COMPLETED(13),
    /** The session has too many requests whose answers it has not acknowledged. */
    TOO_MANY_REQUESTS(14),
    TOO_MANY_SESSIONS(15),
    /** The name is in use for another kind of lock. */
    WRONG_KIND(16),
    /** Waiting would close a cycle of owners that wait for each other. */
    DEADLOCK(17),
    /** A reader asked for the write lock. */
    UPGRADE_NOT_ALLOWED(18);

    private static final ErrorCode[] BY_CODE = new ErrorCode[19];

    static {
        for (ErrorCode each : values()) {
            BY_CODE[each.code] = each;
        }
    }

    private final int code;

    ErrorCode(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /**
     * Returns the error with this code.
     *
     * @throws ProtocolException if no error has this code
     */
    public static ErrorCode of(int code) {
        ErrorCode found = code > 0 && code < BY_CODE.length ? BY_CODE[code] : null;
        if (found == null) {
            throw new ProtocolException("unknown error code " + code);
        }
        return found;
    }
}
