package io.raftlock.bench.scale;

import io.raftlock.client.LockGrant;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Locks that are held until this is closed. */
final class HeldLocks implements Ballast {
    private static final Duration BOUND = Duration.ofMinutes(20);

    private final Clients clients;
    private final Queue<LockGrant> grants = new ConcurrentLinkedQueue<>();

    HeldLocks(Nodes nodes) {
        clients = new Clients(nodes);
    }

    @Override
    public void growTo(int total) throws InterruptedException {
        ManyLocks.each(
                grants.size(),
                total,
                i -> clients.of(i).lock("held/" + i),
                grant -> ManyLocks.kept(grants, grant),
                BOUND);
    }

    /** Returns how many are not held any more. */
    long lost() {
        return grants.stream().filter(grant -> !grant.isHeld()).count();
    }

    @Override
    public void close() {
        clients.close();
    }
}
