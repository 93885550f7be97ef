package io.raftlock.server.lock;

import io.raftlock.protocol.LockName;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;

/**
 * The held locks with their queues. A name that nobody holds takes no memory; a lock stays in the
 * place that the log gave it for as long as somebody holds it.
 *
 * <p>A snapshot shares what there is, so nothing of that ever changes: pages and locks are replaced
 * by others, and queues are those of an epoch.
 */
final class Locks {
    private final LinkedHashMap<LockName, Lock> byName = new LinkedHashMap<>();
    private final LockPages inOrder = new LockPages();
    private final HoldDeadlines deadlines = new HoldDeadlines();
    private int waiters;

    /** How many snapshots were taken. */
    private long epoch;

    int heldCount() {
        return byName.size();
    }

    int waiterCount() {
        return waiters;
    }

    HoldDeadlines deadlines() {
        return deadlines;
    }

    /** Returns the lock as it is until the next change. */
    @Nullable Lock find(LockName name) {
        return byName.get(name);
    }

    /** Returns the lock that the claim holds or awaits, as it is until the next change. */
    Lock get(Claim claim) {
        Lock lock = byName.get(claim.name());
        if (lock == null) {
            throw new IllegalStateException("invariant broken: a claim's lock is held by somebody");
        }
        return lock;
    }

    /** Whether the claim holds its lock; else it waits for it. */
    boolean isHeldBy(Claim claim) {
        return get(claim).isHeldBy(claim);
    }

    /** Adds a lock that nobody held until now. */
    void add(Hold hold) {
        Lock lock = inOrder.add(hold);
        deadlines.add(hold);
        Invariant.check(byName.put(lock.name(), lock) == null, "a lock has one holder");
    }

    /** Returns the position of the claim in the queue; the head has 1. */
    int enqueue(Claim claim) {
        Lock lock = get(claim);
        Lock longer = lock.enqueue(claim, epoch);
        replace(lock, longer);
        waiters++;
        return longer.waiterCount();
    }

    void dequeue(Claim claim) {
        Lock lock = get(claim);
        replace(lock, lock.dequeue(claim, epoch));
        waiters--;
    }

    /**
     * Ends the claim's hold. The head of the queue, if there is one, gets the lock in its place.
     */
    void passOn(Claim claim, Function<Claim, Hold> grant) {
        Lock lock = get(claim);
        Invariant.check(lock.isHeldBy(claim), "who holds a lock passes it on");
        deadlines.remove(lock.hold());
        Claim next = lock.next();
        if (next == null) {
            inOrder.remove(lock);
            byName.remove(lock.name());
            return;
        }
        waiters--;
        Hold hold = grant.apply(next);
        deadlines.add(hold);
        replace(lock, lock.passTo(hold, epoch));
    }

    private void replace(Lock lock, Lock by) {
        inOrder.replace(lock, by);
        byName.put(by.name(), by);
    }

    void restore(LockRecord saved) {
        add(saved.hold());
        saved.waiters().forEach(this::enqueue);
    }

    /** Returns what there is now, for any thread to read. */
    List<LockRecord> share() {
        epoch++;
        return inOrder.share();
    }
}
