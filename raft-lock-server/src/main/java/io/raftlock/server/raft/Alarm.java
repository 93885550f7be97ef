package io.raftlock.server.raft;

import java.util.concurrent.locks.LockSupport;

/** Runs a task soon after a time that is set, again and again, on a thread of its own. */
final class Alarm {
    private final Runnable task;
    private final Thread thread;

    private volatile long atNanos;
    private volatile boolean isSet;
    private volatile boolean ended;

    Alarm(Runnable task, String threadName) {
        this.task = task;
        thread = new Thread(this::run, threadName);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /**
     * Has the task run, unless it is set already: it then runs at the time that was set before. Any
     * thread, one at a time.
     *
     * @param atNanos by {@link System#nanoTime}
     */
    void set(long atNanos) {
        if (!isSet) {
            this.atNanos = atNanos;
            isSet = true;
            LockSupport.unpark(thread);
        }
    }

    /** Runs the task no more, from when this returns. Not for the task itself. */
    void end() {
        ended = true;
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!ended) {
            long left = isSet ? atNanos - System.nanoTime() : Long.MAX_VALUE;
            if (left > 0) {
                LockSupport.parkNanos(this, left);
            } else {
                // Before the task: what it finds too early to do it sets the alarm for.
                isSet = false;
                task.run();
            }
        }
    }
}
