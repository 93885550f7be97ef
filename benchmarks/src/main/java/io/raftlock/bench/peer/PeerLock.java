package io.raftlock.bench.peer;

import java.util.concurrent.locks.Lock;

/** A lock of some system, as one caller uses it. For one thread, always the same one. */
public interface PeerLock {

    /** Returns the lock of a client whose locks are those of the JDK. */
    static PeerLock of(Lock lock) {
        return new PeerLock() {
            @Override
            public void acquire() {
                lock.lock();
            }

            @Override
            public void release() {
                lock.unlock();
            }
        };
    }

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
