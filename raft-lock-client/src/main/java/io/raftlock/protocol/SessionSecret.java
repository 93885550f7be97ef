package io.raftlock.protocol;

/** 128 random bits, drawn by the client, that whoever speaks for a session must show. */
public record SessionSecret(long high, long low) {
    /** Kept out of logs. */
    @Override
    public String toString() {
        return "SessionSecret[hidden]";
    }
}
