package io.raftlock.bench.compare;

import io.raftlock.bench.load.LoadFailure;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Asks a system for a lock until there is one: servers that have just been started refuse at first.
 * It asks on a thread of its own, for some clients wait without an end.
 */
final class FirstGrant {
    private static final long PAUSE_MILLIS = 500;

    private final Attempt attempt;
    private volatile String lastFailure = "no answer";

    /** Takes a lock and gives it back. */
    interface Attempt {
        void run() throws Exception;
    }

    private FirstGrant(Attempt attempt) {
        this.attempt = attempt;
    }

    /**
     * Waits for it.
     *
     * @param who is asked
     * @throws LoadFailure if there is none in time; its message has that of the last failure
     */
    static void await(String who, Duration bound, Attempt attempt) throws InterruptedException {
        FirstGrant first = new FirstGrant(attempt);
        Thread asking = new Thread(first::ask, "first-grant");
        asking.setDaemon(true);
        asking.start();
        asking.join(bound.toMillis());
        if (asking.isAlive()) {
            asking.interrupt();
            throw new LoadFailure(
                    "%s gave no lock within %d s: %s"
                            .formatted(who, bound.toSeconds(), first.lastFailure));
        }
    }

    private void ask() {
        try {
            while (!served()) {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @SuppressWarnings("IllegalCatch") // Each system's client says in its own way that it is early.
    private boolean served() throws InterruptedException {
        try {
            attempt.run();
            return true;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            lastFailure = OneLine.of(e);
            return false;
        }
    }
}
