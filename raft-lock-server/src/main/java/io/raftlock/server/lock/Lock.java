package io.raftlock.server.lock;

import io.raftlock.protocol.LockName;

import java.util.List;

/** A mutex that somebody holds, and its queue. A free mutex is not kept, so nobody waits for it. */
final class Lock {
    private final LockName name;
    private Hold hold;
    private final FairQueue waiters = new FairQueue();

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

    FairQueue waiters() {
        return waiters;
    }

    boolean isKnownTo(Owner owner) {
        return isHeldBy(owner) || waiters.contains(owner);
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
        return new LockRecord(name, hold, waiters.isEmpty() ? List.of() : waiters.copy());
    }
}
