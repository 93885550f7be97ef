package io.raftlock.chaos.history;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Collects what clients see. For use by any thread; each event is timed when it is reported. */
public final class History {
    private final LongSupplier clockNanos;
    private final AtomicLong nextId = new AtomicLong();
    private final Map<Long, Wait> openWaits = new ConcurrentHashMap<>();
    private final Map<Long, Hold> openHolds = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Wait> waits = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Hold> holds = new ConcurrentLinkedQueue<>();

    public History(LongSupplier clockNanos) {
        this.clockNanos = clockNanos;
    }

    /**
     * A client is about to ask for a lock.
     *
     * @return id of the call, for the other methods
     */
    public long asks(String name, String client) {
        long id = nextId.incrementAndGet();
        openWaits.put(id, new Wait(name, client, clockNanos.getAsLong(), Wait.NOT_ANSWERED));
        return id;
    }

    /** The call came back with the lock. */
    public void granted(long id, long token) {
        Wait wait = answered(id);
        Hold hold =
                new Hold(wait.name(), wait.client(), token, wait.answeredNanos(), Hold.STILL_HELD);
        openHolds.put(id, hold);
    }

    /** The call came back without the lock. */
    public void notGranted(long id) {
        answered(id);
    }

    /** The client is about to release, or has been told that the hold is lost. */
    public void ends(long id) {
        Hold hold = required(openHolds.remove(id), id);
        holds.add(
                new Hold(
                        hold.name(),
                        hold.client(),
                        hold.token(),
                        hold.grantedNanos(),
                        clockNanos.getAsLong()));
    }

    /** Returns all holds, those that have not ended too. */
    public List<Hold> holds() {
        List<Hold> all = new ArrayList<>(holds);
        all.addAll(openHolds.values());
        return all;
    }

    /** Returns all calls, those that have not been answered too. */
    public List<Wait> waits() {
        List<Wait> all = new ArrayList<>(waits);
        all.addAll(openWaits.values());
        return all;
    }

    private Wait answered(long id) {
        long now = clockNanos.getAsLong();
        Wait open = required(openWaits.remove(id), id);
        Wait closed = new Wait(open.name(), open.client(), open.askedNanos(), now);
        waits.add(closed);
        return closed;
    }

    private static <T> T required(@Nullable T found, long id) {
        if (found == null) {
            throw new IllegalStateException("call " + id + " is not in that state");
        }
        return found;
    }
}
