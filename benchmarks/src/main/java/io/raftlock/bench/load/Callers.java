package io.raftlock.bench.load;

import io.raftlock.client.DistributedLock;

import java.time.Duration;
import java.util.List;

/** Those who acquire and release, each its own lock, until the meter says stop. */
interface Callers {

    void start();

    /**
     * Waits until each has ended the cycle it was in.
     *
     * @return whether all have in that time
     */
    boolean awaitEnd(Duration bound) throws InterruptedException;

    static Callers of(Cell cell, List<DistributedLock> locks, Meter meter) {
        return switch (cell.mode()) {
            case BLOCKING -> new BlockingCallers(locks, meter);
            case ASYNC -> new AsyncCallers(locks, meter);
        };
    }
}
