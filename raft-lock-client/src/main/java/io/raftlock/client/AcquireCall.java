package io.raftlock.client;

import io.raftlock.protocol.LockName;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.SessionId;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * One call that wants a lock. The caller may give it up from any thread; all else is the loop's.
 * Its outcome is a hold, or nothing if the lock was not to be had.
 */
final class AcquireCall extends NumberedRequest {
    private final LockName name;
    private final long owner;
    private final Patience patience;
    private final AcquireOptions options;
    private final Outcome<Optional<Hold>> outcome;
    private final Runnable onSettled;
    private final @Nullable Timeout timeout;
    private Loop.Timer timer = Loop.Timer.NONE;
    private Stage stage = Stage.ASKING;
    private boolean cancelling;

    /** What the loop does for a caller that does not wait itself. */
    record Timeout(long deadlineNanos, @Nullable Supplier<RuntimeException> failure) {}

    /** For how long the caller waits when the lock is taken. */
    enum Patience {
        NONE,
        SOME,
        ENDLESS
    }

    /** Where the acquire stands with the cluster, whatever its caller was told. */
    enum Stage {
        ASKING,
        QUEUED,
        HELD,
        OVER
    }

    /**
     * @param timeout when the loop ends the call, or null if its caller does
     * @param onSettled is run once when the outcome is settled, by whoever settles it
     */
    AcquireCall(
            LockName name,
            long owner,
            Patience patience,
            AcquireOptions options,
            Outcome<Optional<Hold>> outcome,
            @Nullable Timeout timeout,
            Runnable onSettled) {
        this.name = name;
        this.owner = owner;
        this.patience = patience;
        this.options = options;
        this.outcome = outcome;
        this.timeout = timeout;
        this.onSettled = onSettled;
    }

    LockName name() {
        return name;
    }

    long owner() {
        return owner;
    }

    /** Tells whether to come back with nothing is a possible answer. */
    boolean isTry() {
        return patience != Patience.ENDLESS;
    }

    AcquireOptions options() {
        return options;
    }

    Outcome<Optional<Hold>> outcome() {
        return outcome;
    }

    Stage stage() {
        return stage;
    }

    void stage(Stage next) {
        stage = next;
    }

    /** Starts the timeout, if the loop is to watch it. */
    void startTimer(Loop loop, Runnable afterTimeout) {
        if (timeout != null) {
            timer =
                    loop.schedule(
                            () -> {
                                if (timedOut(timeout)) {
                                    afterTimeout.run();
                                }
                            },
                            Math.max(0, timeout.deadlineNanos - loop.nanoTime()));
        }
    }

    private boolean timedOut(Timeout after) {
        return after.failure == null ? complete(Optional.empty()) : fail(after.failure);
    }

    boolean complete(Optional<Hold> hold) {
        timer.cancel();
        return settled(outcome.complete(hold));
    }

    boolean fail(Supplier<? extends RuntimeException> exception) {
        timer.cancel();
        return settled(outcome.fail(exception));
    }

    /** Any thread. */
    boolean giveUp() {
        return settled(outcome.giveUp());
    }

    /** The caller wants it no more: from here on only its cancel is sent. Loop thread. */
    boolean startCancel() {
        boolean first = !cancelling && stage != Stage.OVER;
        cancelling |= first;
        return first;
    }

    void cancelTimer() {
        timer.cancel();
    }

    @Override
    boolean isMoot() {
        return cancelling;
    }

    private boolean settled(boolean first) {
        if (first) {
            onSettled.run();
        }
        return first;
    }

    @Override
    Request toRequest(SessionId in, long answeredUpTo) {
        return new Request.Acquire(
                in,
                number(),
                answeredUpTo,
                name,
                owner,
                patience != Patience.NONE,
                options.maxHoldMillis(),
                options.metadata());
    }
}
