package io.raftlock.bench.scale;

import io.raftlock.bench.load.LoadFailure;
import io.raftlock.client.DistributedLock;
import io.raftlock.client.LockGrant;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * One caller that acquires and releases a lock without a pause, and when it got its answers. Its
 * thread writes; the one that made it does the rest.
 */
final class AnswerLog implements AutoCloseable {
    private static final long END_MILLIS = TimeUnit.SECONDS.toMillis(30);

    private final Clients clients;
    private final Thread caller = new Thread(this::run, "caller");
    private final Queue<Long> answers = new ConcurrentLinkedQueue<>();
    private volatile boolean stopping;
    private volatile @Nullable Throwable failure;

    AnswerLog(Nodes nodes) {
        clients = new Clients(nodes);
        caller.setDaemon(true);
        caller.start();
    }

    /** Drops all answers so far. */
    void forget() {
        answers.clear();
    }

    /**
     * Has the caller end, after the answer that it waits for.
     *
     * @return when answers came, by {@link System#nanoTime}
     * @throws LoadFailure if the caller failed
     */
    List<Long> end() throws InterruptedException {
        stopping = true;
        caller.join(END_MILLIS);
        Throwable thrown = failure;
        if (thrown != null) {
            throw new LoadFailure("a caller failed", thrown);
        }
        if (caller.isAlive() || answers.size() < 2) {
            throw new LoadFailure("a caller gets no answers");
        }
        return new ArrayList<>(answers);
    }

    @SuppressWarnings("IllegalCatch") // Whatever a client throws ends the run, with its words.
    private void run() {
        try {
            DistributedLock lock = clients.of(0).lock("watched");
            while (!stopping) {
                LockGrant grant = lock.acquire();
                answers.add(System.nanoTime());
                grant.release();
                answers.add(System.nanoTime());
            }
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    @Override
    public void close() {
        stopping = true;
        clients.close();
    }
}
