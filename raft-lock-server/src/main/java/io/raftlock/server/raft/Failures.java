package io.raftlock.server.raft;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The first thing that must stop this node. While the node starts, it is the reason why it does
 * not; afterwards it goes to the fatal handler, once.
 */
final class Failures {
    record Failure(String what, Throwable cause) {}

    private final FatalHandler handler;
    private final AtomicReference<@Nullable Failure> first = new AtomicReference<>();
    private final AtomicBoolean isTold = new AtomicBoolean();
    private volatile boolean started;

    Failures(FatalHandler handler) {
        this.handler = handler;
    }

    void report(String what, Throwable cause) {
        first.compareAndSet(null, new Failure(what, cause));
        if (started && isTold.compareAndSet(false, true)) {
            handler.fatal(what, cause);
        }
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
