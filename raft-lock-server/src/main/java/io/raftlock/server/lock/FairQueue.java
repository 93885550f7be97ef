package io.raftlock.server.lock;

import org.jspecify.annotations.Nullable;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Those who wait for one lock, in the order in which the log has them.
 *
 * <p>A snapshot shares the queues that there are, and begins an epoch. So a queue changes in the
 * epoch alone that it was made in; later, a copy of it takes its place. Whoever changes a queue
 * goes on with the one that is returned.
 */
final class FairQueue {
    static final int MAX_WAITERS = 100_000;

    private final long epoch;
    private final LinkedHashMap<Owner, Claim> waiters;

    /** Makes an empty one. */
    FairQueue(long epoch) {
        this(epoch, Map.of());
    }

    private FairQueue(long epoch, Map<Owner, Claim> waiters) {
        this.epoch = epoch;
        this.waiters = new LinkedHashMap<>(waiters);
    }

    private FairQueue in(long now) {
        return now == epoch ? this : new FairQueue(now, waiters);
    }

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

    /** Returns the queue with the claim at its end. */
    FairQueue add(Claim claim, long epoch) {
        Invariant.check(!isFull(), "a queue is bounded");
        FairQueue queue = in(epoch);
        Invariant.check(
                queue.waiters.put(claim.holder(), claim) == null, "an owner waits once for a lock");
        return queue;
    }

    /** Returns the queue without the claim. */
    FairQueue remove(Claim claim, long epoch) {
        FairQueue queue = in(epoch);
        Invariant.check(queue.waiters.remove(claim.holder()) != null, "a waiter is in its queue");
        return queue;
    }

    /** Returns the first, or null if nobody waits. */
    @Nullable Claim head() {
        Iterator<Claim> inOrder = waiters.values().iterator();
        return inOrder.hasNext() ? inOrder.next() : null;
    }

    List<Claim> copy() {
        return List.copyOf(waiters.values());
    }
}
