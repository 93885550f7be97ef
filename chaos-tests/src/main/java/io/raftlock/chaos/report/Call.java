package io.raftlock.chaos.report;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.Event.Result;

import org.jspecify.annotations.Nullable;

/**
 * A client's call with its answer.
 *
 * @param answer or null if the run ended before it
 */
record Call(Event.Invoked asked, Event.@Nullable Returned answer) {
    boolean isAcquire() {
        return switch (asked.action()) {
            case LOCK, TRY_LOCK, TIMED_LOCK -> true;
            case REENTER, RELEASE, RETRY -> false;
        };
    }

    /** Whether a lock was acquired by it. */
    boolean isGrant() {
        return isAcquire() && answer != null && answer.result() == Result.OK;
    }

    /** How it ended: what was never answered may have had an effect. */
    Result result() {
        return answer == null ? Result.INFO : answer.result();
    }

    /** When it was asked and answered, or up to the end of the run. */
    Span span(long endNanos) {
        return new Span(asked.atNanos(), answer == null ? endNanos : answer.atNanos());
    }
}
