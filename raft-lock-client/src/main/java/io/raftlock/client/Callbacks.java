package io.raftlock.client;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Runs the user's code, away from the loop. What it throws is logged. Any thread may hand over.
 *
 * <p>Without an executor of the user's there are a few daemon threads, so that one callback that
 * blocks does not keep the others waiting.
 */
final class Callbacks {
    private static final Logger LOG = LoggerFactory.getLogger(Callbacks.class);

    private final String threadName;
    private final CallbackThreads own;
    private final Executor executor;

    Callbacks(String threadName, @Nullable Executor usersExecutor) {
        this.threadName = threadName;
        own = new CallbackThreads(this::daemon);
        executor = usersExecutor == null ? own : usersExecutor;
    }

    private Thread daemon(Runnable task) {
        Thread thread = new Thread(task, threadName);
        thread.setDaemon(true);
        return thread;
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
        own.shutDown();
    }
}
