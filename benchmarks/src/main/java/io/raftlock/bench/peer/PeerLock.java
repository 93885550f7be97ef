package io.raftlock.bench.peer;

/** A lock of some system, as one caller uses it. For one thread, always the same one. */
public interface PeerLock {

    /**
     * Waits for the lock.
     *
     * @throws Exception of the system's client, if it cannot be had
     */
    void acquire() throws Exception;

    /**
     * Gives the lock back, and returns when the system has said that it is free.
     *
     * @throws Exception of the system's client, if that did not succeed
     */
    void release() throws Exception;
}
