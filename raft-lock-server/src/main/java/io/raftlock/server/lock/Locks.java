package io.raftlock.server.lock;

import io.raftlock.protocol.LockName;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;

/**
 * The held locks with their queues. A name that nobody holds takes no memory; a lock stays in the
 * place that the log gave it for as long as somebody holds it.
 */
final class Locks {
    private final LinkedHashMap<LockName, Lock> held = new LinkedHashMap<>();
    private final HoldDeadlines deadlines = new HoldDeadlines();
    private int waiters;

    int heldCount() {
        return held.size();
    }

    int waiterCount() {
        return waiters;
    }

    HoldDeadlines deadlines() {
        return deadlines;
    }

    @Nullable Lock find(LockName name) {
        return held.get(name);
    }

    /** Adds a lock that nobody held until now. */
    void add(Hold hold) {
        Lock lock = new Lock(hold);
        deadlines.add(hold);
        Invariant.check(held.put(lock.name(), lock) == null, "a lock has one holder");
    }

    /** Returns the position of the claim in the queue; the head has 1. */
    int enqueue(Lock lock, Claim claim) {
        waiters++;
        return lock.enqueue(claim);
    }

    void dequeue(Claim claim) {
        get(claim).dequeue(claim);
        waiters--;
    }

    /** Whether the claim holds its lock; else it waits for it. */
    boolean isHeldBy(Claim claim) {
        return get(claim).isHeldBy(claim);
    }

    /** Ends the hold of the lock. The head of the queue, if there is one, gets it in its place. */
    void passOn(Lock lock, Function<Claim, Hold> grant) {
        deadlines.remove(lock.hold());
        Claim next = lock.poll();
        if (next == null) {
            held.remove(lock.name());
            return;
        }
        waiters--;
        Hold hold = grant.apply(next);
        deadlines.add(hold);
        lock.passTo(hold);
    }

    void restore(LockRecord saved) {
        add(saved.hold());
        saved.waiters().forEach(claim -> enqueue(get(claim), claim));
    }

    List<LockRecord> copy() {
        return held.values().stream().map(Lock::copy).toList();
    }

    Lock get(Claim claim) {
        Lock lock = held.get(claim.name());
        if (lock == null) {
            throw new IllegalStateException("invariant broken: a claim's lock is held by somebody");
        }
        return lock;
    }
}
