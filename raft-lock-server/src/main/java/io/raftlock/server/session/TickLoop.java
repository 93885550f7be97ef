package io.raftlock.server.session;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** The tick thread: runs what is posted to it, in order, and a tick in between. */
public final class TickLoop implements Executor, AutoCloseable {
    private static final int MAX_POSTED = 1_000_000;
    private static final long STOP_MILLIS = 2_000;

    private final BlockingQueue<Runnable> inbox = new LinkedBlockingQueue<>(MAX_POSTED);
    private final Consumer<Throwable> fatal;
    private final Thread thread;
    private volatile boolean stopped;

    /**
     * Makes the loop; {@link #start} starts it.
     *
     * @param fatal told of what escapes a task or a tick, after which the loop has ended
     */
    public TickLoop(Consumer<Throwable> fatal, LongConsumer tick) {
        this.fatal = fatal;
        thread = new Thread(() -> run(tick), "tick");
        thread.setDaemon(true);
    }

    public void start() {
        thread.start();
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

    private void run(LongConsumer tick) {
        try {
            long nextTickNanos = System.nanoTime();
            while (!stopped) {
                Runnable task = inbox.poll(nextTickNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (task != null) {
                    task.run();
                }
                long nowNanos = System.nanoTime();
                if (nowNanos - nextTickNanos >= 0) {
                    tick.accept(nowNanos);
                    nextTickNanos = nowNanos + SessionTicker.TICK_NANOS;
                }
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
        thread.interrupt();
        try {
            thread.join(STOP_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
