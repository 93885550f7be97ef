package io.raftlock.chaos.client;

import io.raftlock.chaos.history.Event.Action;
import io.raftlock.client.DistributedLock;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** W8: always holds many of thousands of locks, and replaces the oldest hold by another. */
final class ManyKeys implements Workload {
    private static final int HELD = 100;

    private final Actor actor;
    private final List<WatchedClient> sessions = new ArrayList<>();
    private final Deque<Holding> holdings = new ArrayDeque<>();

    ManyKeys(Actor actor, LockClients clients) {
        this.actor = actor;
        int mine = Math.max(1, actor.spec().sessions() / actor.spec().actors());
        for (int i = 0; i < mine; i++) {
            sessions.add(clients.open());
        }
    }

    @Override
    public void cycle() {
        actor.pace();
        WatchedClient client = sessions.get(actor.random().nextInt(sessions.size()));
        DistributedLock lock = client.lock(actor.anyLock());
        Optional<Holding> taken =
                actor.acquire(
                        Action.TRY_LOCK, lock.name(), with -> lock.tryAcquire(Duration.ZERO, with));
        client.look();
        taken.ifPresent(holdings::addLast);
        if (holdings.size() > HELD) {
            holdings.removeFirst().leave();
        }
    }

    @Override
    public void letGo() {
        holdings.forEach(Holding::leave);
        holdings.clear();
    }
}
