package io.raftlock.chaos.client;

import io.raftlock.chaos.history.Event.Result;
import io.raftlock.client.ClusterUnavailableException;
import io.raftlock.client.LockLostException;
import io.raftlock.client.LockRefusedException;
import io.raftlock.client.OutcomeUnknownException;
import io.raftlock.client.SessionExpiredException;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * How a call ended without what it was for, and what can be said of its effect.
 *
 * @param detail for people
 */
record Ending(Result result, String detail) {
    static final Ending DONE = new Ending(Result.OK, "");

    static Ending fail(String detail) {
        return new Ending(Result.FAIL, detail);
    }

    static Ending info(String detail) {
        return new Ending(Result.INFO, detail);
    }

    /**
     * Judges an acquire of the client. What was cancelled, or took too long, has no lasting effect,
     * for the client takes it back in the background. What ended with the session may have been
     * granted before that.
     *
     * @throws IllegalStateException if an acquire cannot end so
     */
    static Ending ofAcquire(Throwable thrown) {
        Throwable cause = unwrapped(thrown);
        String name = cause.getClass().getSimpleName();
        if (cause instanceof LockRefusedException refused) {
            return fail(refused.code().name());
        }
        if (cause instanceof ClusterUnavailableException
                || cause instanceof CancellationException
                || cause instanceof InterruptedException
                || cause instanceof TimeoutException) {
            return fail(name);
        }
        if (cause instanceof SessionExpiredException || cause instanceof LockLostException) {
            return info(name);
        }
        return closedOr(cause);
    }

    /**
     * Judges a release of the client.
     *
     * @throws IllegalStateException if a release cannot end so
     */
    static Ending ofRelease(Throwable thrown) {
        Throwable cause = unwrapped(thrown);
        if (cause instanceof LockLostException lost) {
            return info("lost: " + lost.reason());
        }
        if (cause instanceof OutcomeUnknownException) {
            return info("unknown");
        }
        return closedOr(cause);
    }

    /** The client throws exactly this when it is closed. */
    private static Ending closedOr(Throwable cause) {
        if (cause.getClass() == IllegalStateException.class) {
            return info("closed");
        }
        throw new IllegalStateException("no call ends so", cause);
    }

    private static Throwable unwrapped(Throwable thrown) {
        Throwable cause = thrown.getCause();
        boolean wrapped =
                thrown instanceof ExecutionException || thrown instanceof CompletionException;
        return wrapped && cause != null ? unwrapped(cause) : thrown;
    }
}
