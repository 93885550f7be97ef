package io.raftlock.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One hold of a lock, owned by whoever has this object: it may be used and released by any thread.
 * Not reentrant: two grants of one lock exclude each other, also within one thread. All methods are
 * safe for use by several threads.
 */
public interface LockGrant extends AutoCloseable {

    /** Returns the name of the lock. */
    String lockName();

    /**
     * Returns the token of this hold. It stays the same, and can be read after the hold is over.
     */
    FencingToken token();

    /**
     * Tells whether the lock is still held, by the clock of this process: no message is sent. False
     * once it was lost, or its release was asked for. Once false it stays so.
     */
    boolean isHeld();

    /**
     * Returns how long the hold lasts for sure if no node is heard of from now on, or zero when it
     * is over. The time grows again with each confirmation of the session, but never beyond the end
     * of {@link AcquireOptions#maxHold}.
     */
    Duration remaining();

    /**
     * Returns a stage that completes when the hold is lost, once, and never if it is released
     * before. Dependents run on the client's callback executor.
     */
    CompletionStage<LossReason> lost();

    /**
     * Releases the lock and waits until the cluster says that it is free, or until the session's
     * lease is over, whichever is first. Not interruptible; the interrupt flag stays set. A second
     * call returns at once and does nothing.
     *
     * @throws LockLostException if the hold was lost before the release took effect
     * @throws OutcomeUnknownException if the client is being closed and the cluster is not reached
     */
    void release();

    /**
     * Releases the lock. Cancelling the future does not take the release back. A second call
     * releases nothing and returns a future of the first release, or a completed one if that was by
     * {@link #release}.
     *
     * @return completes when the cluster says that the lock is free; fails as {@link #release} does
     */
    CompletableFuture<Void> releaseAsync();

    /**
     * Releases the lock as {@link #release} does, but does not throw if it was lost meanwhile: ask
     * {@link #isHeld} or {@link #lost} where that matters, or call {@link #release} first.
     */
    @Override
    void close();
}
