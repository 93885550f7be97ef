package io.raftlock.protocol;

/** Bounds that client and server agree on. Lengths of text are in bytes of UTF-8. */
public final class ProtocolLimits {
    /** The only protocol version so far. */
    public static final int VERSION = 1;

    /** The lock group that every request names until locks are spread over several groups. */
    public static final int DEFAULT_GROUP = 0;

    /** Length of a whole frame without its length field. */
    public static final int MAX_FRAME_BYTES = 64 * 1024;

    public static final int MAX_NAME_BYTES = 512;

    /** Length of the text that a client may attach to a hold, and of each of its descriptions. */
    public static final int MAX_METADATA_BYTES = 1024;

    /** Waiting requests that one keep-alive asks after; a client with more asks in turn. */
    public static final int MAX_PENDING_PER_KEEP_ALIVE = 2_000;

    /** Requests of one session whose answers the client has not yet said it has. */
    public static final int MAX_UNANSWERED_REQUESTS = 8_192;

    public static final long MIN_SESSION_TTL_MILLIS = 500;
    public static final long MAX_SESSION_TTL_MILLIS = 24L * 60 * 60 * 1000;

    /** Longest explicit lease: ten years. */
    public static final long MAX_HOLD_MILLIS = 3_650L * 24 * 60 * 60 * 1000;

    private ProtocolLimits() {}
}
