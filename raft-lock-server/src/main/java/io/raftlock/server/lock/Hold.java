package io.raftlock.server.lock;

/**
 * A claim that holds its lock.
 *
 * @param token the position of the grant
 * @param deadlineMillis on the cluster clock, from which on the leader may end the hold; 0 for none
 */
public record Hold(Claim claim, long token, long deadlineMillis) {
    boolean hasDeadline() {
        return deadlineMillis != 0;
    }

    boolean isOver(long clockMillis) {
        return hasDeadline() && deadlineMillis <= clockMillis;
    }
}
