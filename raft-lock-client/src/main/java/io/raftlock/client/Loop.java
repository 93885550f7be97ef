package io.raftlock.client;

/**
 * The one thread that owns a client's state, and its monotonic clock. Tests put a simulated one in
 * its place.
 */
interface Loop {

    /** Returns the monotonic clock. Any thread. */
    long nanoTime();

    /**
     * Runs the task on the loop, after those handed over before. Any thread.
     *
     * @throws java.util.concurrent.RejectedExecutionException after {@link #shutDown}
     */
    void execute(Runnable task);

    /** Runs the task on the loop when the time has passed. Loop thread only. */
    Timer schedule(Runnable task, long delayNanos);

    /** Tells whether the caller runs on the loop, where nothing may wait. Any thread. */
    boolean inLoop();

    /** Runs what was handed over so far and ends. Any thread. */
    void shutDown();

    /** A task that waits for its time. */
    interface Timer {
        Timer NONE = () -> {};

        /** Loop thread only; does nothing if the task has run. */
        void cancel();
    }
}
