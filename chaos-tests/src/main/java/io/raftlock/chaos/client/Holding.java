package io.raftlock.chaos.client;

import io.raftlock.chaos.history.Event.Action;

import java.util.concurrent.TimeUnit;

/** One hold of an actor, from its grant until it is given up or lost. Owned by the actor. */
final class Holding {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Actor actor;
    private final long call;
    private final String lock;
    private final long token;
    private final Held held;
    private long heldAtNanos;
    private boolean over;

    /**
     * @param call by which it was acquired
     * @param grantedNanos when that came back
     */
    Holding(Actor actor, long call, String lock, long token, long grantedNanos, Held held) {
        this.actor = actor;
        this.call = call;
        this.lock = lock;
        this.token = token;
        this.held = held;
        this.heldAtNanos = grantedNanos;
    }

    String lock() {
        return lock;
    }

    long token() {
        return token;
    }

    long call() {
        return call;
    }

    /** Keeps it so long, or for less if the actor is to stop, without looking at it. */
    void keep(long nanos) {
        actor.gate().rest(nanos);
    }

    /** Keeps it so long, and reports every 20 ms whether it is held; ends early if it is not. */
    void keepAndLook(long nanos) {
        long end = System.nanoTime() + nanos;
        while (end - System.nanoTime() > 0 && !actor.gate().isStopped()) {
            if (!look()) {
                believedNoMore(true);
                return;
            }
            actor.calls().believed(heldAtNanos, call, false, false);
            actor.gate().rest(Math.min(LOOK_NANOS, end - System.nanoTime()));
        }
    }

    /** Stops to use the lock, which is not released by that. */
    void giveUp() {
        if (!over) {
            believedNoMore(!look());
        }
    }

    /** Stops to use the lock and releases it. */
    void leave() {
        giveUp();
        long release = actor.calls().invoked(actor.number(), Action.RELEASE, lock, token);
        actor.calls().returned(release, held.release());
    }

    /** The time is read first: a pause in between must not make the belief last longer. */
    private boolean look() {
        long now = actor.calls().nowNanos();
        if (!held.isHeld()) {
            return false;
        }
        heldAtNanos = now;
        return true;
    }

    private void believedNoMore(boolean lost) {
        over = true;
        actor.calls().believed(heldAtNanos, call, true, lost);
    }
}
