package io.raftlock.chaos.client;

import io.raftlock.client.DistributedLock;

import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * W6: reads the store under a lock, thinks, and writes. It does not ask its guard before it writes:
 * the token alone has to keep an old holder out.
 */
final class FencedUpdates implements Workload {
    private static final int LONGEST_PAUSE_MILLIS = 20;

    private final Actor actor;
    private final WatchedClient client;
    private final StoreClient store;

    FencedUpdates(Actor actor, WatchedClient client, StoreClient store) {
        this.actor = actor;
        this.client = client;
        this.store = store;
    }

    @Override
    public void cycle() throws InterruptedException, TimeoutException {
        DistributedLock lock = client.lock(actor.anyLock());
        Optional<Holding> taken = FencedMutex.acquire(actor, lock);
        client.look();
        if (taken.isPresent()) {
            update(taken.get());
        }
    }

    private void update(Holding holding) throws InterruptedException, TimeoutException {
        try {
            long version = store.read(holding.lock(), holding.token());
            if (version != 0) {
                holding.keep(actor.anyNanos(LONGEST_PAUSE_MILLIS));
                store.write(holding.lock(), holding.token(), holding.call(), version);
            }
        } finally {
            holding.leave();
        }
    }
}
