package io.raftlock.chaos.client;

import io.raftlock.chaos.history.Event.Action;
import io.raftlock.client.AcquireOptions;
import io.raftlock.client.DistributedLock;
import io.raftlock.client.LockGrant;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** W5: waits in a long queue, and may give up in one of four ways. */
final class FairQueue implements Workload {
    private static final int LONGEST_WAIT_MILLIS = 120;
    private static final long POLL_NANOS = 100_000;

    private final Actor actor;
    private final WatchedClient client;
    private final LockClients clients;

    FairQueue(Actor actor, WatchedClient client, LockClients clients) {
        this.actor = actor;
        this.client = client;
        this.clients = clients;
    }

    @Override
    public void cycle() {
        actor.pace();
        DistributedLock lock = client.lock(actor.anyLock());
        Optional<Holding> taken = acquire(lock, 1 + actor.random().nextInt(LONGEST_WAIT_MILLIS));
        client.look();
        taken.ifPresent(
                holding -> {
                    holding.keep(actor.anyNanos(actor.spec().holdMillis()));
                    holding.leave();
                });
    }

    private Optional<Holding> acquire(DistributedLock lock, int millis) {
        return switch (actor.random().nextInt(6)) {
            case 0 ->
                    actor.acquire(Action.LOCK, lock.name(), with -> cancelLate(lock, with, millis));
            case 1 ->
                    actor.acquire(
                            Action.LOCK, lock.name(), with -> interruptLate(lock, with, millis));
            case 2 ->
                    actor.acquire(
                            Action.TIMED_LOCK, lock.name(), with -> orTimeout(lock, with, millis));
            case 3 ->
                    actor.acquire(
                            Action.TIMED_LOCK,
                            lock.name(),
                            with -> lock.tryAcquire(Duration.ofMillis(millis), with));
            default ->
                    actor.acquire(
                            Action.LOCK, lock.name(), with -> Optional.of(lock.acquire(with)));
        };
    }

    /** A future that is done already is not cancelled: its grant is ours. */
    private Optional<LockGrant> cancelLate(DistributedLock lock, AcquireOptions with, int millis)
            throws InterruptedException, ExecutionException {
        CompletableFuture<LockGrant> future = lock.acquireAsync(with);
        clients.later(() -> future.cancel(false), millis);
        return Optional.of(future.get());
    }

    private static Optional<LockGrant> orTimeout(
            DistributedLock lock, AcquireOptions with, int millis)
            throws InterruptedException, ExecutionException {
        return Optional.of(lock.acquireAsync(with).orTimeout(millis, TimeUnit.MILLISECONDS).get());
    }

    /** The interrupt must not hit what comes after, so it is called off or awaited. */
    private Optional<LockGrant> interruptLate(
            DistributedLock lock, AcquireOptions with, int millis) {
        Thread me = Thread.currentThread();
        AtomicBoolean due = new AtomicBoolean(true);
        clients.later(
                () -> {
                    if (due.compareAndSet(true, false)) {
                        me.interrupt();
                    }
                },
                millis);
        try {
            return Optional.of(lock.acquire(with));
        } finally {
            if (!due.compareAndSet(true, false)) {
                awaitInterrupt();
            }
        }
    }

    private static void awaitInterrupt() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        while (!Thread.interrupted() && deadline - System.nanoTime() > 0) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }
}
