package io.raftlock.server.lock;

import org.jspecify.annotations.Nullable;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;

/** Those who wait for one lock, in the order in which the log has them. */
final class FairQueue {
    static final int MAX_WAITERS = 100_000;

    private final LinkedHashMap<Owner, Claim> waiters = new LinkedHashMap<>();

    boolean isFull() {
        return waiters.size() == MAX_WAITERS;
    }

    boolean isEmpty() {
        return waiters.isEmpty();
    }

    boolean contains(Owner owner) {
        return waiters.containsKey(owner);
    }

    int size() {
        return waiters.size();
    }

    /** Returns the position of the new waiter; the head has 1. */
    int add(Claim claim) {
        Invariant.check(!isFull(), "a queue is bounded");
        Invariant.check(
                waiters.put(claim.holder(), claim) == null, "an owner waits once for a lock");
        return waiters.size();
    }

    void remove(Claim claim) {
        Invariant.check(waiters.remove(claim.holder()) != null, "a waiter is in its queue");
    }

    /** Takes out the head, or returns null if nobody waits. */
    @Nullable Claim poll() {
        Iterator<Claim> inOrder = waiters.values().iterator();
        if (!inOrder.hasNext()) {
            return null;
        }
        Claim head = inOrder.next();
        inOrder.remove();
        return head;
    }

    List<Claim> copy() {
        return List.copyOf(waiters.values());
    }
}
