package io.raftlock.client;

import io.raftlock.protocol.Request;
import io.raftlock.protocol.Response;
import io.raftlock.protocol.SessionId;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * A request that takes effect once: it is asked again under its number until it is answered. Owned
 * by the loop.
 */
abstract sealed class NumberedRequest implements LeaderLink.Answered
        permits AcquireCall, CancelCall, ReleaseCall {
    private @Nullable ClientSession session;
    private long number;
    private long firstSentNanos;
    private long lastSentNanos;
    private int sends;
    private int retries;
    private boolean answered;

    /** Puts the request into a session, where it waits for its number. */
    final void join(ClientSession newSession) {
        session = newSession;
        number = 0;
        sends = 0;
        answered = false;
    }

    /** Returns the session it is in, or null if it has not got that far. */
    final @Nullable ClientSession session() {
        return session;
    }

    /** Gives it its number, just before it is sent for the first time. */
    final void number(long newNumber, long nowNanos) {
        number = newNumber;
        firstSentNanos = nowNanos;
    }

    /** Returns 0 before it was sent. */
    final long number() {
        return number;
    }

    final long firstSentNanos() {
        return firstSentNanos;
    }

    final boolean wasSent() {
        return number != 0;
    }

    final void countSend(long nowNanos) {
        sends++;
        lastSentNanos = nowNanos;
    }

    final long lastSentNanos() {
        return lastSentNanos;
    }

    final boolean wasSentOnce() {
        return sends == 1;
    }

    /** Tells whether its answer is there, so that it need not be asked again. */
    final boolean isAnswered() {
        return answered;
    }

    final void markAnswered() {
        answered = true;
    }

    /** Returns how often it was put off before. */
    final int countRetry() {
        return retries++;
    }

    /** Tells whether another request settles it, so that it must not be sent again. */
    boolean isMoot() {
        return false;
    }

    @Override
    public final void answered(Response response, long sentNanos) {
        Objects.requireNonNull(session).answered(this, response, sentNanos);
    }

    abstract Request toRequest(SessionId in, long answeredUpTo);
}
