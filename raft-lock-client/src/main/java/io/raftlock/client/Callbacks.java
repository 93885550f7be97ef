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

    private final String threadName;
    private final ThreadPoolExecutor own;
    private final Executor executor;

    Callbacks(String threadName, @Nullable Executor usersExecutor) {
        this.threadName = threadName;
        own = ownThreads();
        executor = usersExecutor == null ? own : usersExecutor;
    }

    private Thread daemon(Runnable task) {
        Thread thread = new Thread(task, threadName);
        thread.setDaemon(true);
        return thread;
    }

    private ThreadPoolExecutor ownThreads() {
        ThreadPoolExecutor threads =
                new ThreadPoolExecutor(
                        OWN_THREADS,
                        OWN_THREADS,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        this::daemon);
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    void run(Runnable usersCode) {
        Runnable guarded = () -> runGuarded(usersCode);
        try {
            executor.execute(guarded);
        } catch (RejectedExecutionException refused) {
            // The user's executor is full or shut down, or the client is closed: a future must
            // complete all the same.
            LOG.debug("a callback gets a thread of its own", refused);
            daemon(guarded).start();
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
