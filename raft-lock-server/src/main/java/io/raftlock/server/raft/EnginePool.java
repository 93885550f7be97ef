package io.raftlock.server.raft;

import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that run callbacks of a cluster's nodes, but for one task: that a replicator is to
 * send what has been appended is done at once, by the thread that appended it. To wake a thread for
 * each follower and each entry would be on the way that every answer waits for.
 *
 * <p>The engine hands that task over with the log's lock free and the node's write lock held, which
 * it takes before a replicator's lock in other places too. A replicator that finds more to send
 * hands the same task over again, with its own lock held: that one gets a thread.
 */
final class EnginePool extends ThreadPoolExecutor {
    private static final int IDLE_SECONDS = 60;

    /** The engine has no name for the task but the class that makes it. */
    private static final String LOG_TASK =
            "com.alipay.sofa.jraft.storage.impl.LogManagerImpl$$Lambda";

    static final String APPENDING_THREAD = "JRaft-NodeImpl-Disruptor-";

    private static final ThreadLocal<Boolean> IS_SENDING = ThreadLocal.withInitial(() -> false);

    EnginePool(int threads, ThreadFactory factory) {
        super(
                threads,
                threads,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                factory);
        allowCoreThreadTimeOut(true);
    }

    @Override
    public Future<?> submit(Runnable task) {
        if (!isAtOnce(task)) {
            return super.submit(task);
        }
        FutureTask<?> now = new FutureTask<>(task, null);
        IS_SENDING.set(true);
        try {
            now.run();
        } finally {
            IS_SENDING.set(false);
        }
        return now;
    }

    private static boolean isAtOnce(Runnable task) {
        return !IS_SENDING.get()
                && task.getClass().getName().startsWith(LOG_TASK)
                && Thread.currentThread().getName().startsWith(APPENDING_THREAD);
    }
}
