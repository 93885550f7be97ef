package io.raftlock.chaos.store;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The thread that owns the store; any other may ask here. */
public final class StoreDesk implements AutoCloseable {
    /** More than all actors of a run, each of which asks one thing at a time. */
    private static final int MOST_WAITING = 10_000;

    private static final Duration CLOSE_BOUND = Duration.ofSeconds(5);

    private final FencedStore store;
    private final ThreadPoolExecutor thread =
            new ThreadPoolExecutor(
                    1,
                    1,
                    0,
                    TimeUnit.SECONDS,
                    new ArrayBlockingQueue<>(MOST_WAITING),
                    task -> {
                        Thread made = new Thread(task, "store");
                        made.setDaemon(true);
                        return made;
                    });

    public StoreDesk(FencedStore store) {
        this.store = store;
    }

    /**
     * Asks the store.
     *
     * @param then is told the answer, on the store's thread, and must not block it
     * @throws java.util.concurrent.RejectedExecutionException if too many wait, or it is closed
     */
    public void ask(String client, StoreRequest request, Consumer<StoreAnswer> then) {
        thread.execute(() -> then.accept(store.answer(client, request)));
    }

    /** Ends the thread when all that was asked is answered; the store may be read then. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_BOUND.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("the store does not come to an end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
