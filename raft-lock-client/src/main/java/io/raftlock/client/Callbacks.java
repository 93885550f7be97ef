package io.raftlock.client;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs the user's code, away from the loop. What it throws is logged. Any thread may hand over.
 *
 * <p>Without an executor of the user's there are a few daemon threads, so that one callback that
 * blocks does not keep the others waiting.
 */
final class Callbacks {
    private static final Logger LOG = LoggerFactory.getLogger(Callbacks.class);
    private static final int OWN_THREADS = 16;
    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor own;
    private final Executor executor;

    Callbacks(String threadName, @Nullable Executor usersExecutor) {
        own = ownThreads(threadName);
        executor = usersExecutor == null ? own : usersExecutor;
    }

    private static ThreadPoolExecutor ownThreads(String threadName) {
        ThreadPoolExecutor threads =
                new ThreadPoolExecutor(
                        OWN_THREADS,
                        OWN_THREADS,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        task -> {
                            Thread thread = new Thread(task, threadName);
                            thread.setDaemon(true);
                            return thread;
                        });
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    void run(Runnable usersCode) {
        Runnable guarded = () -> runGuarded(usersCode);
        try {
            executor.execute(guarded);
        } catch (RejectedExecutionException refused) {
            // A future must complete even though the user's executor is full or shut down.
            runOnOwnThread(guarded, refused);
        }
    }

    private void runOnOwnThread(Runnable guarded, RejectedExecutionException refused) {
        LOG.warn("the callback executor refused a task; it runs on the client's own", refused);
        try {
            own.execute(guarded);
        } catch (RejectedExecutionException closed) {
            LOG.warn("a callback is dropped: the client is closed", closed);
        }
    }

    private static void runGuarded(Runnable usersCode) {
        try {
            usersCode.run();
        } catch (RuntimeException | Error thrown) {
            LOG.warn("a callback threw", thrown);
        }
    }

    /** Takes no more; what was handed over still runs. */
    void shutDown() {
        own.shutdown();
    }
}
