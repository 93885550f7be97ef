package io.raftlock.chaos.client;

import io.raftlock.chaos.history.Event.Action;
import io.raftlock.client.DistributedLock;

import java.time.Duration;
import java.util.Optional;

/**
 * W1: takes one of a few hot locks in one of three ways, holds it for a moment, releases it. The
 * first actor has a lock of its own kind, which it holds for long.
 */
final class FencedMutex implements Workload {
    private static final int LONGEST_WAIT_MILLIS = 100;
    private static final String LONG = "/long";
    private static final int THOUSAND = 1_000;

    private final Actor actor;
    private final WatchedClient client;

    FencedMutex(Actor actor, WatchedClient client) {
        this.actor = actor;
        this.client = client;
    }

    @Override
    public void cycle() {
        if (actor.number() == 0 && actor.spec().longHoldsPerThousand() > 0) {
            holdForLong();
            return;
        }
        Optional<Holding> taken = acquire(actor, client.lock(actor.anyLock()));
        client.look();
        taken.ifPresent(this::use);
    }

    /** One lock is always held by somebody who looks whether it still is. */
    private void holdForLong() {
        DistributedLock lock = client.lock(actor.spec().lockPrefix() + LONG);
        actor.pace();
        Optional<Holding> taken =
                actor.acquire(Action.LOCK, lock.name(), with -> Optional.of(lock.acquire(with)));
        client.look();
        taken.ifPresent(
                holding -> {
                    holding.keepAndLook(actor.anyNanos(2 * actor.spec().ttlMillis()));
                    holding.leave();
                });
    }

    /** Asks for the lock in a way that is chosen at random. */
    static Optional<Holding> acquire(Actor actor, DistributedLock lock) {
        actor.pace();
        return switch (actor.random().nextInt(3)) {
            case 0 ->
                    actor.acquire(
                            Action.LOCK, lock.name(), with -> Optional.of(lock.acquire(with)));
            case 1 ->
                    actor.acquire(
                            Action.TRY_LOCK,
                            lock.name(),
                            with -> lock.tryAcquire(Duration.ZERO, with));
            default -> {
                Duration longest =
                        Duration.ofMillis(1 + actor.random().nextInt(LONGEST_WAIT_MILLIS));
                yield actor.acquire(
                        Action.TIMED_LOCK, lock.name(), with -> lock.tryAcquire(longest, with));
            }
        };
    }

    private void use(Holding holding) {
        WorkloadSpec spec = actor.spec();
        if (actor.random().nextInt(THOUSAND) < spec.longHoldsPerThousand()) {
            holding.keepAndLook(actor.anyNanos(2 * spec.ttlMillis()));
        } else {
            holding.keep(actor.anyNanos(spec.holdMillis()));
        }
        holding.leave();
    }
}
