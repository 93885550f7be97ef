package io.raftlock.chaos.history;

/**
 * One hold as its client knew it. The cluster's own hold begins before and ends after, so holds of
 * a correct lock cannot overlap here.
 *
 * @param grantedNanos when the client had the answer that it holds the lock
 * @param endedNanos just before the client asked for the release, or {@link #STILL_HELD}
 */
public record Hold(String name, String client, long token, long grantedNanos, long endedNanos) {
    public static final long STILL_HELD = Long.MAX_VALUE;
}
