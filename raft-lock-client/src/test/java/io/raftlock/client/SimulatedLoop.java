package io.raftlock.client;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * A loop whose time passes when the test says so, and which runs in the test's thread. Its clock
 * starts just below the largest long, as a monotonic clock may, so that it overflows on the way.
 * Other threads may hand tasks over, which run when the test moves the time.
 */
final class SimulatedLoop implements Loop {
    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private final Queue<Runnable> callbacks = new ArrayDeque<>();
    private volatile long now = Long.MAX_VALUE - Duration.ofSeconds(3).toNanos();
    private long sequence;
    private volatile Thread inLoop;

    private final class Task implements Comparable<Task> {
        private final Runnable work;
        private final long due;
        private final long order;

        Task(Runnable work, long due, long order) {
            this.work = work;
            this.due = due;
            this.order = order;
        }

        @Override
        public int compareTo(Task other) {
            int byTime = Long.compare(due - now, other.due - now);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    /** Runs the users' code between the loop's tasks, not on the loop. */
    Executor callbackExecutor() {
        return callbacks::add;
    }

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public void execute(Runnable task) {
        add(task, 0);
    }

    @Override
    public Timer schedule(Runnable task, long delayNanos) {
        Task scheduled = add(task, Math.min(delayNanos, Long.MAX_VALUE / 4));
        return () -> {
            synchronized (tasks) {
                tasks.remove(scheduled);
            }
        };
    }

    private Task add(Runnable work, long delayNanos) {
        synchronized (tasks) {
            Task task = new Task(work, now + delayNanos, sequence++);
            tasks.add(task);
            return task;
        }
    }

    private Task nextUntil(long end) {
        synchronized (tasks) {
            return tasks.isEmpty() || tasks.peek().due - end > 0 ? null : tasks.remove();
        }
    }

    @Override
    public boolean inLoop() {
        return Thread.currentThread() == inLoop;
    }

    /** Goes on for others: a client that is closed has to stop its timers itself. */
    @Override
    public void shutDown() {}

    /** Runs what is due now. */
    void settle() {
        advance(Duration.ZERO);
    }

    void advance(Duration time) {
        long end = now + time.toNanos();
        for (Task next = nextUntil(end); next != null; next = nextUntil(end)) {
            now = next.due - now > 0 ? next.due : now;
            inLoop = Thread.currentThread();
            try {
                next.work.run();
            } finally {
                inLoop = null;
            }
            runCallbacks();
        }
        now = end;
        runCallbacks();
    }

    private void runCallbacks() {
        while (!callbacks.isEmpty()) {
            callbacks.remove().run();
        }
    }

    /** Time passes while this process stands still: nothing runs. */
    void pause(Duration time) {
        now += time.toNanos();
    }
}
