package io.raftlock.client;

import io.raftlock.protocol.LockName;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A lock as the users see it: keeps no state of its own, so that all of one name are one. */
final class ClusterLock implements DistributedLock {
    private final LockName name;
    private final Calls calls;
    private final ThreadLocal<ThreadOwner> threadOwners;
    private final AtomicLong owners;

    /**
     * @param threadOwners the threads of the client as owners
     * @param owners draws the numbers of the grants' owners
     */
    ClusterLock(
            LockName name, Calls calls, ThreadLocal<ThreadOwner> threadOwners, AtomicLong owners) {
        this.name = name;
        this.calls = calls;
        this.threadOwners = threadOwners;
        this.owners = owners;
    }

    @Override
    public String name() {
        return name.value();
    }

    @Override
    public void lock() {
        ThreadOwner me = threadOwners.get();
        if (!me.reenter(name)) {
            me.acquired(calls.acquire(wishOf(me)));
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        requireNotInterrupted();
        ThreadOwner me = threadOwners.get();
        if (!me.reenter(name)) {
            me.acquired(orClearFlag(() -> calls.acquireInterruptibly(wishOf(me))));
        }
    }

    @Override
    public boolean tryLock() {
        ThreadOwner me = threadOwners.get();
        return me.reenter(name) || took(me, calls.tryOnce(wishOf(me)));
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        requireNotInterrupted();
        ThreadOwner me = threadOwners.get();
        long nanos = unit.toNanos(time);
        return me.reenter(name) || took(me, orClearFlag(() -> calls.tryFor(wishOf(me), nanos)));
    }

    @Override
    public void unlock() {
        Hold last = threadOwners.get().exit(name);
        if (last != null) {
            calls.release(last);
        }
    }

    @Override
    public FencingToken fencingToken() {
        return threadOwners.get().held(name).token();
    }

    @Override
    public boolean isHeldByCurrentThread() {
        return holdCount() > 0;
    }

    @Override
    public int holdCount() {
        return threadOwners.get().count(name);
    }

    @Override
    public LockGrant acquire(AcquireOptions options) {
        try {
            requireNotInterrupted();
            return new HeldGrant(calls.acquireInterruptibly(wishOfGrant(options)), calls);
        } catch (InterruptedException interrupted) {
            throw Calls.interrupted(interrupted);
        }
    }

    @Override
    public Optional<LockGrant> tryAcquire(Duration longest, AcquireOptions options) {
        try {
            requireNotInterrupted();
            return calls.tryFor(wishOfGrant(options), Calls.saturatedNanos(longest))
                    .map(HeldGrant.in(calls));
        } catch (InterruptedException interrupted) {
            throw Calls.interrupted(interrupted);
        }
    }

    @Override
    public CompletableFuture<LockGrant> acquireAsync(AcquireOptions options) {
        return calls.acquireAsync(wishOfGrant(options));
    }

    @Override
    public CompletableFuture<Optional<LockGrant>> tryAcquireAsync(
            Duration longest, AcquireOptions options) {
        return calls.tryAsync(wishOfGrant(options), Calls.saturatedNanos(longest));
    }

    private Calls.Wish wishOf(ThreadOwner me) {
        return new Calls.Wish(name, me.number(), AcquireOptions.defaults());
    }

    private Calls.Wish wishOfGrant(AcquireOptions options) {
        return new Calls.Wish(name, owners.incrementAndGet(), options);
    }

    private static boolean took(ThreadOwner me, Optional<Hold> hold) {
        hold.ifPresent(me::acquired);
        return hold.isPresent();
    }

    private static void requireNotInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /** The methods of {@link java.util.concurrent.locks.Lock} clear the flag when they throw. */
    private static <T> T orClearFlag(Waiting<T> waiting) throws InterruptedException {
        try {
            return waiting.call();
        } catch (InterruptedException interrupted) {
            Thread.interrupted();
            throw interrupted;
        }
    }

    private interface Waiting<T> {
        T call() throws InterruptedException;
    }

    @Override
    public String toString() {
        return "DistributedLock[" + name + "]";
    }
}
