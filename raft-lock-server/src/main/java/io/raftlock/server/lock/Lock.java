package io.raftlock.server.lock;

import io.raftlock.protocol.LockName;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A mutex that somebody holds, and its queue. A free mutex is not kept, so nobody waits for it. It
 * never changes, since snapshots share it: whatever happens to the mutex makes another lock, which
 * takes its place. Only the queue can go on changing, and that no snapshot sees.
 */
final class Lock {
    private final long place;
    private final Hold hold;

    /** Only while somebody waits: most locks have nobody, and there may be millions. */
    private final @Nullable FairQueue waiters;

    /**
     * @param place in the order of all locks
     */
    Lock(long place, Hold hold) {
        this(place, hold, null);
    }

    private Lock(long place, Hold hold, @Nullable FairQueue waiters) {
        this.place = place;
        this.hold = hold;
        this.waiters = waiters;
    }

    long place() {
        return place;
    }

    LockName name() {
        return hold.claim().name();
    }

    Hold hold() {
        return hold;
    }

    int waiterCount() {
        return waiters == null ? 0 : waiters.size();
    }

    /** Returns whether nobody else may wait. */
    boolean isFull() {
        return waiters != null && waiters.isFull();
    }

    boolean isKnownTo(Owner owner) {
        return isHeldBy(owner) || (waiters != null && waiters.contains(owner));
    }

    boolean isHeldBy(Owner owner) {
        return hold.claim().holder().equals(owner);
    }

    boolean isHeldBy(Claim claim) {
        return hold.claim().equals(claim);
    }

    /** Returns the head of the queue, or null if nobody waits. */
    @Nullable Claim next() {
        return waiters == null ? null : waiters.head();
    }

    /** Returns the lock with the claim at the end of the queue. */
    Lock enqueue(Claim claim, long epoch) {
        FairQueue before = waiters == null ? new FairQueue(epoch) : waiters;
        return with(hold, before.add(claim, epoch));
    }

    /** Returns the lock without the claim in the queue. */
    Lock dequeue(Claim claim, long epoch) {
        if (waiters == null) {
            throw new IllegalStateException("invariant broken: a waiter is in a queue");
        }
        return with(hold, waiters.remove(claim, epoch));
    }

    /** Returns the lock held by the next in its queue. */
    Lock passTo(Hold next, long epoch) {
        return dequeue(next.claim(), epoch).with(next);
    }

    private Lock with(Hold next) {
        return new Lock(place, next, waiters);
    }

    private Lock with(Hold next, FairQueue queue) {
        return new Lock(place, next, queue.isEmpty() ? null : queue);
    }

    LockRecord copy() {
        return new LockRecord(name(), hold, waiters == null ? List.of() : waiters.copy());
    }
}
