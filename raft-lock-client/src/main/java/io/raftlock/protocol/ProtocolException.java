package io.raftlock.protocol;

/** The bytes are not a message of this protocol. The connection they came on is of no more use. */
public final class ProtocolException extends RuntimeException {
    public ProtocolException(String message) {
        super(message);
    }

    public ProtocolException(String message, Throwable cause) {
        super(message, cause);
    }
}
