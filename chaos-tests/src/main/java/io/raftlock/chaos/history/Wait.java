package io.raftlock.chaos.history;

/**
 * One call for a lock.
 *
 * @param answeredNanos when the call came back, with the lock or without, or {@link #NOT_ANSWERED}
 */
public record Wait(String name, String client, long askedNanos, long answeredNanos) {
    public static final long NOT_ANSWERED = Long.MAX_VALUE;

    boolean answered() {
        return answeredNanos != NOT_ANSWERED;
    }

    /** Returns for how long the client has waited, up to now if it still does. */
    public long lastedNanos(long nowNanos) {
        return (answered() ? answeredNanos : nowNanos) - askedNanos;
    }
}
