package io.raftlock.server.session;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;

/** The tick thread: runs what is posted to it, in order, and the ticker's turns in between. */
public final class TickLoop implements Executor, AutoCloseable {
    private static final int MAX_POSTED = 1_000_000;
    private static final int MAX_TASKS_IN_A_TURN = 256;
    private static final long STOP_MILLIS = 2_000;

    private final BlockingQueue<Runnable> inbox = new LinkedBlockingQueue<>(MAX_POSTED);
    private final Consumer<Throwable> fatal;
    private volatile @Nullable Thread thread;
    private volatile boolean stopped;

    /**
     * Makes the loop; {@link #start} starts it.
     *
     * @param fatal told of what escapes a task or a turn, after which the loop has ended
     */
    public TickLoop(Consumer<Throwable> fatal) {
        this.fatal = fatal;
    }

    /**
     * Starts the thread; what was posted before runs first.
     *
     * @param turn given the monotonic clock, does what is due and returns after how many
     *     nanoseconds it is due again; called sooner if tasks are posted
     */
    public void start(LongUnaryOperator turn) {
        Thread started = new Thread(() -> run(turn), "tick");
        started.setDaemon(true);
        thread = started;
        started.start();
    }

    /**
     * Posts a task. Never blocks.
     *
     * @throws IllegalStateException if a million tasks wait already
     */
    @Override
    public void execute(Runnable task) {
        inbox.add(task);
    }

    /** Posts a task that may be dropped, unless the loop is far behind; says whether it did. */
    public boolean offer(Runnable task) {
        return inbox.size() < MAX_POSTED / 2 && inbox.offer(task);
    }

    private void run(LongUnaryOperator turn) {
        try {
            long waitNanos = 0;
            while (!stopped) {
                Runnable task = inbox.poll(waitNanos, TimeUnit.NANOSECONDS);
                // What came together shares a turn, but does not put it off for long.
                for (int left = MAX_TASKS_IN_A_TURN; task != null; left--) {
                    task.run();
                    task = left > 1 ? inbox.poll() : null;
                }
                waitNanos = turn.applyAsLong(System.nanoTime());
            }
        } catch (InterruptedException stop) {
            // Only close() interrupts this thread.
            Thread.currentThread().interrupt();
        } catch (Throwable failure) {
            fatal.accept(failure);
        }
    }

    /** Ends the loop; what is still posted does not run. */
    @Override
    public void close() {
        stopped = true;
        Thread running = thread;
        if (running == null) {
            return;
        }
        running.interrupt();
        try {
            running.join(STOP_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
