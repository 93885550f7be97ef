package io.raftlock.chaos.client;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.Event.Action;
import io.raftlock.chaos.history.Event.Result;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Reports what a client does, with its name and the time. For use by any thread. */
final class CallLog {
    private static final int SEQUENCE_BITS = 32;

    private final String client;
    private final LongSupplier clockNanos;
    private final Consumer<Event> events;
    private final AtomicLong lastCall;

    /**
     * @param life number of the client's life; above the numbers of its calls
     * @param clockNanos the machine's monotonic clock, whatever the process's own shows
     */
    CallLog(String client, long life, LongSupplier clockNanos, Consumer<Event> events) {
        this.client = client;
        this.clockNanos = clockNanos;
        this.events = events;
        this.lastCall = new AtomicLong(life << SEQUENCE_BITS);
    }

    String client() {
        return client;
    }

    long nowNanos() {
        return clockNanos.getAsLong();
    }

    /**
     * An actor is about to call.
     *
     * @param token of the hold that is released or entered again; 0 for the rest
     * @return id of the call
     */
    long invoked(int actor, Action action, String lock, long token) {
        long call = lastCall.incrementAndGet();
        events.accept(new Event.Invoked(nowNanos(), call, client, actor, action, lock, token));
        return call;
    }

    /**
     * The call has come back.
     *
     * @return when
     */
    long returned(long call, Ending ending) {
        return returned(call, ending.result(), 0, ending.detail());
    }

    /**
     * The call has come back.
     *
     * @param token that was granted; 0 if none was
     * @return when
     */
    long returned(long call, Result result, long token, String detail) {
        long now = nowNanos();
        events.accept(new Event.Returned(now, call, result, token, detail));
        return now;
    }

    void believed(long atNanos, long call, boolean over, boolean lost) {
        events.accept(new Event.Believed(atNanos, call, over, lost));
    }

    void session(String state, long session, String detail) {
        events.accept(new Event.SessionSeen(nowNanos(), client, state, session, detail));
    }

    void noted(String kind, String text) {
        events.accept(new Event.Noted(nowNanos(), kind, client, text));
    }
}
