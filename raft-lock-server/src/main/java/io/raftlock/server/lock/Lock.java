package io.raftlock.server.lock;

import io.raftlock.protocol.LockName;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** A mutex that somebody holds, and its queue. A free mutex is not kept, so nobody waits for it. */
final class Lock {
    private final LockName name;
    private Hold hold;

    /** Only while somebody waits: most locks have nobody, and there may be millions. */
    private @Nullable FairQueue waiters;

    Lock(Hold hold) {
        this.name = hold.claim().name();
        this.hold = hold;
    }

    LockName name() {
        return name;
    }

    Hold hold() {
        return hold;
    }

    /** Returns whether nobody else may wait. */
    boolean isFull() {
        return waiters != null && waiters.isFull();
    }

    /** Returns the position of the claim in the queue; the head has 1. */
    int enqueue(Claim claim) {
        if (waiters == null) {
            waiters = new FairQueue();
        }
        return waiters.add(claim);
    }

    void dequeue(Claim claim) {
        if (waiters == null) {
            throw new IllegalStateException("invariant broken: a waiter is in a queue");
        }
        waiters.remove(claim);
        dropIfEmpty();
    }

    /** Takes out the head of the queue, or returns null if nobody waits. */
    @Nullable Claim poll() {
        if (waiters == null) {
            return null;
        }
        Claim head = waiters.poll();
        dropIfEmpty();
        return head;
    }

    private void dropIfEmpty() {
        if (waiters != null && waiters.isEmpty()) {
            waiters = null;
        }
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

    void passTo(Hold next) {
        hold = next;
    }

    LockRecord copy() {
        return new LockRecord(name, hold, waiters == null ? List.of() : waiters.copy());
    }
}
