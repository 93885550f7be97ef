package io.raftlock.server.raft;

import io.raftlock.server.lock.Applied;
import io.raftlock.server.lock.Snapshot;

/** Told of what the log does, in its order, on the apply thread, which it must not block. */
public interface LogListener {

    /** One entry took effect. The verdicts of its commands have been given before. */
    void applied(long index, Applied applied);

    /** All entries that were ready have been applied; now is the time to flush. */
    void batchEnded();

    /**
     * This node leads. All entries of earlier terms are applied, none of this term is. Can come
     * twice for one term.
     *
     * @param state at this position
     */
    void leaderStarted(long term, Snapshot state);

    /** This node takes proposals from now on, until it leads no more. */
    void leaderReady();

    /** This node has heard who leads now: a member other than itself. */
    void leaderHeard(String memberId);

    /** This node leads no more. Can come without a start before it. */
    void leaderStopped();
}
