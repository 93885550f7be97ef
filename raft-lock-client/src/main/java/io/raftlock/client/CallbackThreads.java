package io.raftlock.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A few threads while callbacks are short, since waking many for them costs more than they do; up
 * to sixteen when some block, so that those do not keep the others waiting. Used by any thread.
 */
final class CallbackThreads implements Executor {
    private static final int FEW = 2;
    private static final int MANY = 16;
    private static final long IDLE_SECONDS = 10;

    /** When nothing was taken from the queue for so long, the threads are taken to be blocked. */
    private static final long STALL_MILLIS = 10;

    private final Executor checks =
            CompletableFuture.delayedExecutor(STALL_MILLIS, TimeUnit.MILLISECONDS, Runnable::run);

    private final Pool pool;
    private final AtomicBoolean isCheckDue = new AtomicBoolean();

    CallbackThreads(ThreadFactory factory) {
        pool = new Pool(factory);
    }

    private static final class Pool extends ThreadPoolExecutor {
        private volatile long tookNanos = System.nanoTime();

        Pool(ThreadFactory factory) {
            super(FEW, MANY, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
            allowCoreThreadTimeOut(true);
        }

        @Override
        protected void beforeExecute(Thread thread, Runnable task) {
            tookNanos = System.nanoTime();
        }

        boolean isStalled() {
            long quietNanos = System.nanoTime() - tookNanos;
            return quietNanos >= TimeUnit.MILLISECONDS.toNanos(STALL_MILLIS);
        }

        /** Keeps a thread free beside those that are blocked. */
        void resize() {
            setCorePoolSize(Math.min(MANY, Math.max(FEW, getActiveCount() + 1)));
            // A task that was queued while the size grew has found no thread to start.
            if (!getQueue().isEmpty()) {
                prestartCoreThread();
            }
        }
    }

    /**
     * Runs the task soon.
     *
     * @throws java.util.concurrent.RejectedExecutionException after {@link #shutDown}
     */
    @Override
    public void execute(Runnable task) {
        pool.execute(task);
        checkLater();
    }

    private void checkLater() {
        if (!pool.getQueue().isEmpty() && isCheckDue.compareAndSet(false, true)) {
            checks.execute(this::check);
        }
    }

    private void check() {
        isCheckDue.set(false);
        if (pool.getQueue().isEmpty() || pool.isStalled()) {
            pool.resize();
        }
        checkLater();
    }

    /** Takes no more; what was handed over still runs. */
    void shutDown() {
        pool.shutdown();
    }
}
