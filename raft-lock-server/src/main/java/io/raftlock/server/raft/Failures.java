package io.raftlock.server.raft;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The first thing that must stop this node. While the node starts, it is the reason why it does
 * not; afterwards it goes to the fatal handler, once.
 */
final class Failures {
    /** Enough for a message to another node. */
    private static final Duration LAST_WORDS = Duration.ofMillis(200);

    record Failure(String what, Throwable cause) {}

    private final FatalHandler handler;
    private final AtomicReference<@Nullable Failure> first = new AtomicReference<>();
    private final AtomicBoolean isTold = new AtomicBoolean();
    private volatile boolean started;

    Failures(FatalHandler handler) {
        this.handler = handler;
    }

    void report(String what, Throwable cause) {
        Failure failure = note(what, cause);
        if (started && isTold.compareAndSet(false, true)) {
            handler.fatal(failure.what(), failure.cause());
        }
    }

    /**
     * Reports what the engine knows of: it answers nothing from now on, and if this node leads it
     * is about to ask another to lead. So that one need not wait for an election, the process lives
     * for another moment.
     */
    void reportAfterLastWords(String what, Throwable cause) {
        note(what, cause);
        Thread thread =
                new Thread(
                        () -> {
                            Waiting.until(() -> false, Waiting.deadlineIn(LAST_WORDS));
                            report(what, cause);
                        },
                        "raft-last-words");
        thread.setDaemon(true);
        thread.start();
    }

    /** Remembers what will stop this node as soon as it is reported; returns what was first. */
    Failure note(String what, Throwable cause) {
        Failure fresh = new Failure(what, cause);
        Failure before = first.compareAndExchange(null, fresh);
        return before == null ? fresh : before;
    }

    boolean any() {
        return first.get() != null;
    }

    /** Returns why the node cannot start, or null; in that case what comes later is fatal. */
    @Nullable Failure started() {
        started = true;
        Failure failure = first.get();
        return failure != null && isTold.compareAndSet(false, true) ? failure : null;
    }

    /** Returns why a start failed, as far as it is known, and says that it has been told. */
    @Nullable Failure startFailed() {
        isTold.set(true);
        return first.get();
    }
}
