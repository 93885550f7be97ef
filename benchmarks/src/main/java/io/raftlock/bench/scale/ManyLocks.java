package io.raftlock.bench.scale;

import io.raftlock.bench.load.LoadFailure;
import io.raftlock.client.DistributedLock;
import io.raftlock.client.LockGrant;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.IntFunction;

/** Does something with many locks, so many at a time. */
final class ManyLocks {
    private static final int UNDER_WAY = 2_048;

    private ManyLocks() {}

    /**
     * Acquires the lock of each number, and does the next step with its grant.
     *
     * @param from the first number
     * @param to the number after the last
     * @throws LoadFailure if one fails, or all together take longer than the bound
     */
    static void each(
            int from,
            int to,
            IntFunction<DistributedLock> lock,
            Function<LockGrant, CompletableFuture<Void>> next,
            Duration bound)
            throws InterruptedException {
        Semaphore room = new Semaphore(UNDER_WAY);
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        long end = System.nanoTime() + bound.toNanos();
        Progress progress = new Progress("locks", to);
        for (int i = from; i < to; i++) {
            take(room, 1, end);
            progress.at(i);
            lock.apply(i)
                    .acquireAsync()
                    .thenCompose(next)
                    .whenComplete(
                            (nothing, thrown) -> {
                                if (thrown != null) {
                                    failure.compareAndSet(null, thrown);
                                }
                                room.release();
                            });
        }
        take(room, UNDER_WAY, end);
        Throwable thrown = failure.get();
        if (thrown != null) {
            throw new LoadFailure("a lock was not to be had", thrown);
        }
    }

    /** Keeps what was acquired. */
    static CompletableFuture<Void> kept(Queue<LockGrant> grants, LockGrant grant) {
        grants.add(grant);
        return CompletableFuture.completedFuture(null);
    }

    private static void take(Semaphore room, int permits, long endNanos)
            throws InterruptedException {
        if (!room.tryAcquire(permits, endNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            throw new LoadFailure("locks are not acquired in time");
        }
    }
}
