package io.raftlock.protocol;

/**
 * A response on the wire.
 *
 * @param callId of the request it answers, or {@link #PUSH}
 */
public record ResponseFrame(long callId, Response response) {
    /** The call id of what a node says of its own accord. */
    public static final long PUSH = 0;

    public boolean isPush() {
        return callId == PUSH;
    }
}
