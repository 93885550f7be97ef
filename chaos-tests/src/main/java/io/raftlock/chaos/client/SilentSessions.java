package io.raftlock.chaos.client;

import io.raftlock.chaos.history.Event.Action;
import io.raftlock.client.DistributedLock;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * W7: a session that falls silent for about as long as it lives and then speaks again, one that
 * changes its connection, and real clients that are closed with or without a lock in hand.
 */
final class SilentSessions implements Workload {
    private static final long ABOUT_MILLIS = 30;
    private static final long PATIENCE_MILLIS = 200;

    private final Actor actor;
    private final LockClients clients;
    private final PlainLocks locks;

    SilentSessions(Actor actor, LockClients clients, Nodes nodes) {
        this.actor = actor;
        this.clients = clients;
        this.locks = new PlainLocks(actor, nodes);
    }

    @Override
    public void cycle() {
        actor.pace();
        int way = actor.random().nextInt(4);
        if (way == 0) {
            realClient();
            return;
        }
        try {
            plainSession(way == 1);
        } catch (UnsettledException e) {
            locks.letGo();
        }
    }

    @Override
    public void letGo() {
        locks.letGo();
    }

    private void plainSession(boolean silent) throws UnsettledException {
        NumberedSession session = locks.session();
        Optional<PlainLocks.Plain> taken =
                locks.acquire(
                        session,
                        actor.anyLock(),
                        TimeUnit.MILLISECONDS.toNanos(actor.random().nextInt(2) * PATIENCE_MILLIS));
        if (taken.isEmpty()) {
            return;
        }
        Holding holding = taken.get().holding();
        try {
            session.keepAlive(List.of());
            if (silent) {
                long ttl = TimeUnit.MILLISECONDS.toNanos(actor.spec().ttlMillis());
                long less = TimeUnit.MILLISECONDS.toNanos(ABOUT_MILLIS);
                holding.keepAndLook(ttl - less + actor.anyNanos(2 * ABOUT_MILLIS));
            } else {
                holding.keep(actor.anyNanos(actor.spec().holdMillis()));
            }
            if (actor.random().nextBoolean()) {
                session.disconnect();
            }
            session.keepAlive(List.of());
        } finally {
            holding.leave();
        }
    }

    private void realClient() {
        WatchedClient client = clients.open();
        try {
            DistributedLock lock = client.lock(actor.anyLock());
            Duration longest = Duration.ofMillis(PATIENCE_MILLIS);
            Optional<Holding> taken =
                    actor.acquire(
                            Action.TIMED_LOCK, lock.name(), with -> lock.tryAcquire(longest, with));
            client.look();
            if (taken.isPresent()) {
                taken.get().keep(actor.anyNanos(actor.spec().holdMillis()));
                leaveOrGiveUp(taken.get());
            }
        } finally {
            clients.close(client);
        }
    }

    /** What is given up is released with the session, when the client closes. */
    private void leaveOrGiveUp(Holding holding) {
        if (actor.random().nextBoolean()) {
            holding.leave();
        } else {
            holding.giveUp();
        }
    }
}
