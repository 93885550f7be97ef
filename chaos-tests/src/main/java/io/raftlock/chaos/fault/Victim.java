package io.raftlock.chaos.fault;

import java.time.Duration;

/** A process that faults are done to: a node or a client. Owned by the driver's thread. */
public interface Victim {
    /** Returns the name of its host. */
    String name();

    boolean isRunning();

    long pid();

    /** As {@code kill -9}; returns when it is gone. It stays down until it is started. */
    void kill();

    /** Asks it to stop in good order, without waiting. It stays down until it is started. */
    void stop();

    /**
     * Waits for it to end.
     *
     * @return its exit code
     * @throws IllegalStateException if it does not end in time
     */
    int awaitExit(Duration bound);

    void start();

    /**
     * Whether it may end by itself from now on, as what is done to it makes it do, to be started
     * again all the same.
     */
    void mayEnd(boolean expected);
}
