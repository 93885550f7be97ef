package io.raftlock.protocol;

/** A session's identity: the log position of the command that opened it, so never used twice. */
public record SessionId(long value) {
    @Override
    public String toString() {
        return Long.toUnsignedString(value, 16);
    }
}
