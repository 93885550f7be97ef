package io.raftlock.chaos.client;

import io.raftlock.chaos.history.Event.Action;
import io.raftlock.chaos.history.Event.Result;
import io.raftlock.client.AcquireOptions;
import io.raftlock.client.LockGrant;

import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** One thread of a client, which does one thing after the other. Owned by that thread. */
final class Actor {
    private final int number;
    private final Random random;
    private final CallLog calls;
    private final Gate gate;
    private final WorkloadSpec spec;
    private long lastAcquireNanos;

    Actor(int number, Random random, CallLog calls, Gate gate, WorkloadSpec spec) {
        this.number = number;
        this.random = random;
        this.calls = calls;
        this.gate = gate;
        this.spec = spec;
        this.lastAcquireNanos = System.nanoTime() - TimeUnit.SECONDS.toNanos(1);
    }

    /** A call of the client that acquires, and takes longer or throws as it likes. */
    interface Acquire {
        Optional<LockGrant> with(AcquireOptions options) throws Exception;
    }

    int number() {
        return number;
    }

    Random random() {
        return random;
    }

    CallLog calls() {
        return calls;
    }

    Gate gate() {
        return gate;
    }

    WorkloadSpec spec() {
        return spec;
    }

    String anyLock() {
        return spec.lock(random.nextInt(spec.locks()));
    }

    /** Returns up to so many milliseconds, in nanoseconds. */
    long anyNanos(long mostMillis) {
        return random.nextLong(TimeUnit.MILLISECONDS.toNanos(mostMillis) + 1);
    }

    /**
     * Waits until the actor may ask for a lock again: a lock that is taken is no reason to spin.
     */
    void pace() {
        long pause = TimeUnit.SECONDS.toNanos(1) / spec.acquiresPerSecond();
        gate.rest(lastAcquireNanos + pause - System.nanoTime());
        lastAcquireNanos = System.nanoTime();
    }

    /** Acquires a lock by the client, and reports it. */
    Optional<Holding> acquire(Action action, String lock, Acquire acquire) {
        long call = calls.invoked(number, action, lock, 0);
        AcquireOptions options = AcquireOptions.defaults().metadata(Long.toString(call));
        Optional<LockGrant> grant;
        try {
            grant = acquire.with(options);
        } catch (Exception e) {
            calls.returned(call, Ending.ofAcquire(e));
            return Optional.empty();
        }
        if (grant.isEmpty()) {
            calls.returned(call, Ending.fail("not available"));
        }
        return grant.map(each -> granted(call, each));
    }

    private Holding granted(long call, LockGrant grant) {
        long token = grant.token().value();
        long at = calls.returned(call, Result.OK, token, "");
        return new Holding(this, call, grant.lockName(), token, at, new HeldByGrant(grant));
    }

    /** A hold of the real client. */
    private record HeldByGrant(LockGrant grant) implements Held {
        @Override
        public boolean isHeld() {
            return grant.isHeld();
        }

        @Override
        public Ending release() {
            try {
                grant.release();
                return Ending.DONE;
            } catch (RuntimeException e) {
                return Ending.ofRelease(e);
            }
        }
    }
}
