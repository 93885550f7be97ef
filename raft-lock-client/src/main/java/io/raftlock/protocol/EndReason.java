package io.raftlock.protocol;

/** Why a session or a hold ended without its owner asking. The numbers are part of the protocol. */
public enum EndReason {
    /** No keep-alive arrived for as long as the session lives without. */
    SESSION_EXPIRED(1),
    /** The client closed the session. */
    SESSION_CLOSED(2),
    /** The explicit lease of the hold ran out. */
    MAX_HOLD_REACHED(3);

    private final int code;

    EndReason(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /**
     * Returns the reason with this code.
     *
     * @throws ProtocolException if no reason has this code
     */
    public static EndReason of(int code) {
        return switch (code) {
            case 1 -> SESSION_EXPIRED;
            case 2 -> SESSION_CLOSED;
            case 3 -> MAX_HOLD_REACHED;
            default -> throw new ProtocolException("unknown end reason " + code);
        };
    }
}
