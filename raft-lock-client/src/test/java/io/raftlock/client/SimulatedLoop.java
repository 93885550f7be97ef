package io.raftlock.client;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * A loop whose time passes when the test says so, and which runs in the test's thread. Its clock
 * starts just below the largest long, as a monotonic clock may, so that it overflows on the way.
 */
final class SimulatedLoop implements Loop {
    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private final Queue<Runnable> callbacks = new ArrayDeque<>();
    private long now = Long.MAX_VALUE - Duration.ofSeconds(3).toNanos();
    private long sequence;
    private boolean inLoop;

    private final class Task implements Comparable<Task> {
        private final Runnable work;
        private final long due;
        private final long order = sequence++;

        Task(Runnable work, long due) {
            this.work = work;
            this.due = due;
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
        tasks.add(new Task(task, now));
    }

    @Override
    public Timer schedule(Runnable task, long delayNanos) {
        Task scheduled = new Task(task, now + Math.min(delayNanos, Long.MAX_VALUE / 4));
        tasks.add(scheduled);
        return () -> tasks.remove(scheduled);
    }

    @Override
    public boolean inLoop() {
        return inLoop;
    }

    @Override
    public void shutDown() {
        settle();
        tasks.clear();
    }

    /** Runs what is due now. */
    void settle() {
        advance(Duration.ZERO);
    }

    void advance(Duration time) {
        long end = now + time.toNanos();
        while (!tasks.isEmpty() && tasks.peek().due - end <= 0) {
            Task next = tasks.remove();
            now = next.due - now > 0 ? next.due : now;
            inLoop = true;
            next.work.run();
            inLoop = false;
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
