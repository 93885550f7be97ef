package io.raftlock.chaos.client;

import io.raftlock.chaos.history.Event.Action;
import io.raftlock.client.DistributedLock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Takes and frees each lock once, when nobody else is there: all of them must be free. */
final class Sweep implements Workload {
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Actor actor;
    private final WatchedClient client;
    private boolean isDone;

    Sweep(Actor actor, WatchedClient client) {
        this.actor = actor;
        this.client = client;
    }

    @Override
    public void cycle() {
        if (isDone) {
            actor.gate().rest(IDLE_NANOS);
            return;
        }
        for (String prefix : actor.spec().lockPrefix().split(",", -1)) {
            for (int i = 0; i < actor.spec().locks() && !actor.gate().isClosed(); i++) {
                takeAndFree(client.lock(prefix + '/' + i));
            }
        }
        isDone = true;
        actor.calls().noted(WorkloadSpec.SWEPT, "all locks were asked for");
    }

    private void takeAndFree(DistributedLock lock) {
        actor.pace();
        Optional<Holding> taken =
                actor.acquire(
                        Action.TRY_LOCK, lock.name(), with -> lock.tryAcquire(Duration.ZERO, with));
        taken.ifPresent(Holding::leave);
    }
}
