package io.raftlock.chaos.client;

import io.raftlock.chaos.history.Event.Action;
import io.raftlock.client.DistributedLock;

import java.time.Duration;
import java.util.Optional;

/** W1: takes one of a few hot locks in one of three ways, holds it for a moment, releases it. */
final class FencedMutex implements Workload {
    private static final int LONGEST_WAIT_MILLIS = 100;
    private static final int THOUSAND = 1_000;

    private final Actor actor;
    private final WatchedClient client;

    FencedMutex(Actor actor, WatchedClient client) {
        this.actor = actor;
        this.client = client;
    }

    @Override
    public void cycle() {
        Optional<Holding> taken = acquire(actor, client.lock(actor.anyLock()));
        client.look();
        taken.ifPresent(this::use);
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
