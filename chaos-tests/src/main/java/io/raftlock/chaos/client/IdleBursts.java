package io.raftlock.chaos.client;

import java.util.concurrent.TimeUnit;

/** W11: a burst of acquires, and then nothing for longer than a TTL. */
final class IdleBursts implements Workload {
    private static final int LONGEST_BURST = 20;

    private final Actor actor;
    private final FencedMutex burst;

    IdleBursts(Actor actor, WatchedClient client) {
        this.actor = actor;
        this.burst = new FencedMutex(actor, client);
    }

    @Override
    public void cycle() {
        int count = 1 + actor.random().nextInt(LONGEST_BURST);
        for (int i = 0; i < count && !actor.gate().isClosed(); i++) {
            burst.cycle();
        }
        long ttlMillis = actor.spec().ttlMillis();
        actor.gate().rest(TimeUnit.MILLISECONDS.toNanos(ttlMillis) + actor.anyNanos(ttlMillis / 2));
    }
}
