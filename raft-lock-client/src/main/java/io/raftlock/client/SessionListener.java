package io.raftlock.client;

import java.time.Duration;

/**
 * Is told what happens to the session under a client's locks. The methods run on the client's
 * callback executor, one at a time and in order for each listener. They may block, throw, and call
 * the client: nobody but this listener waits for them.
 */
public interface SessionListener {

    /**
     * No node has confirmed the session for a third of its time to live. The locks are still held.
     *
     * @param left until the session is given up, if no confirmation comes, as of when it was
     *     noticed
     */
    default void onSuspect(Duration left) {}

    /** The session that was suspect is confirmed again; no lock was lost. */
    default void onRecovered() {}

    /**
     * The session is over and all its locks are lost. This is final: the next call opens another
     * session. Not called for a session that ended by {@link RaftLockClient#close}.
     *
     * @param reason why it ended
     */
    default void onLost(LossReason reason) {}
}
