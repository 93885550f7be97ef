package io.raftlock.chaos.history;

import io.raftlock.chaos.history.Event.Action;
import io.raftlock.chaos.history.Event.Invoked;
import io.raftlock.chaos.history.Event.Result;
import io.raftlock.chaos.history.Event.Returned;

import org.jspecify.annotations.Nullable;

/**
 * One call of a client, from its beginning to its end if it has one. A call that never came back
 * may take effect at any time, so it counts as one that returns at the end of time and says
 * nothing.
 */
public record Operation(Invoked invoked, @Nullable Returned returned) {
    /** When a call returns that did not. */
    public static final long NEVER = Long.MAX_VALUE;

    public long call() {
        return invoked.call();
    }

    public String client() {
        return invoked.client();
    }

    public String lock() {
        return invoked.lock();
    }

    public Action action() {
        return invoked.action();
    }

    public long invokedNanos() {
        return invoked.atNanos();
    }

    /** Returns when the caller had its answer, or {@link #NEVER} if it learned nothing from it. */
    public long returnedNanos() {
        return returned == null || returned.result() == Result.INFO ? NEVER : returned.atNanos();
    }

    /** Whether the call came back at all, with whatever answer. */
    public boolean isAnswered() {
        return returned != null;
    }

    public Result result() {
        return returned == null ? Result.INFO : returned.result();
    }

    /** Returns what its caller added for people, or an empty text. */
    public String detail() {
        return returned == null ? "" : returned.detail();
    }

    public boolean isOk() {
        return result() == Result.OK;
    }

    /**
     * Whether it asks the cluster for a lock for the first time. To enter a lock again does so if
     * the hold was lost by then: the call comes back with another token.
     */
    public boolean isAcquire() {
        return switch (action()) {
            case LOCK, TRY_LOCK, TIMED_LOCK -> true;
            case REENTER -> !isOk() && token() != invoked.token();
            case RELEASE, RETRY -> false;
        };
    }

    /** Returns the token that was granted, or else the one that was given, or 0. */
    public long token() {
        return returned == null || returned.token() == 0 ? invoked.token() : returned.token();
    }

    @Override
    public String toString() {
        return "%s's %s of %s (call %d)".formatted(client(), action(), lock(), call());
    }
}
