package io.raftlock.chaos.client;

import io.raftlock.chaos.history.Event.Action;
import io.raftlock.chaos.history.Event.Result;
import io.raftlock.client.DistributedLock;
import io.raftlock.client.LockLostException;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * W2: takes a lock as a {@link java.util.concurrent.locks.Lock}, takes it again up to three times,
 * and unlocks it as often. Calls of that interface have no metadata, so only their tokens say which
 * command in the log is which call's.
 */
final class Reentry implements Workload {
    private static final List<Action> WAYS =
            List.of(Action.LOCK, Action.TRY_LOCK, Action.TIMED_LOCK);
    private static final int MOST_AGAIN = 3;
    private static final int LONGEST_WAIT_MILLIS = 100;

    /** What {@link #tokenOf} returns for a hold that is lost. */
    private static final long LOST = 0;

    private final Actor actor;
    private final WatchedClient client;

    Reentry(Actor actor, WatchedClient client) {
        this.actor = actor;
        this.client = client;
    }

    @Override
    public void cycle() {
        actor.pace();
        DistributedLock lock = client.lock(actor.anyLock());
        Action action = WAYS.get(actor.random().nextInt(WAYS.size()));
        long call = actor.calls().invoked(actor.number(), action, lock.name(), 0);
        boolean taken;
        try {
            taken = take(lock, action);
        } catch (InterruptedException | RuntimeException e) {
            actor.calls().returned(call, Ending.ofAcquire(e));
            return;
        }
        client.look();
        long token = tokenOf(lock);
        if (!taken) {
            actor.calls().returned(call, Ending.fail("not available"));
        } else if (token == LOST) {
            actor.calls().returned(call, Ending.info("lost as soon as granted"));
            unlockInner(lock, 1);
        } else {
            use(lock, holding(call, lock, token, Result.OK));
        }
    }

    private boolean take(DistributedLock lock, Action action) throws InterruptedException {
        if (action == Action.LOCK) {
            lock.lock();
            return true;
        }
        if (action == Action.TRY_LOCK) {
            return lock.tryLock();
        }
        long millis = 1L + actor.random().nextInt(LONGEST_WAIT_MILLIS);
        return lock.tryLock(millis, TimeUnit.MILLISECONDS);
    }

    private void use(DistributedLock lock, Holding holding) {
        int again = 0;
        int wanted = actor.random().nextInt(MOST_AGAIN + 1);
        while (again < wanted && reenter(lock, holding)) {
            again++;
        }
        unlockInner(lock, again);
        holding.leave();
    }

    /**
     * Takes the lock once more.
     *
     * @return whether one more unlock is owed
     */
    private boolean reenter(DistributedLock lock, Holding holding) {
        holding.keep(actor.anyNanos(actor.spec().holdMillis()) / MOST_AGAIN);
        if (!lock.isHeldByCurrentThread()) {
            return false;
        }
        long call =
                actor.calls().invoked(actor.number(), Action.REENTER, lock.name(), holding.token());
        try {
            lock.lock();
        } catch (RuntimeException e) {
            actor.calls().returned(call, Ending.ofAcquire(e));
            return false;
        }
        long token = tokenOf(lock);
        if (token == holding.token()) {
            actor.calls().returned(call, Result.OK, token, "");
            return true;
        }
        holding.giveUp();
        if (token == LOST) {
            actor.calls().returned(call, Ending.info("lost"));
            return true;
        }
        // Lost between the look and the call: that was no re-entry, but a wait for a hold anew.
        holding(call, lock, token, Result.INFO).leave();
        return false;
    }

    private Holding holding(long call, DistributedLock lock, long token, Result result) {
        long at = actor.calls().returned(call, result, token, "");
        return new Holding(actor, call, lock.name(), token, at, new HeldByThread(lock, token));
    }

    /** Pays the unlocks that free nothing; they throw if the hold is lost. */
    private static void unlockInner(DistributedLock lock, int count) {
        for (int i = 0; i < count; i++) {
            Ending unused = unlock(lock);
        }
    }

    private static Ending unlock(DistributedLock lock) {
        try {
            lock.unlock();
            return Ending.DONE;
        } catch (RuntimeException e) {
            return Ending.ofRelease(e);
        }
    }

    private static long tokenOf(DistributedLock lock) {
        try {
            return lock.isHeldByCurrentThread() ? lock.fencingToken().value() : LOST;
        } catch (LockLostException lost) {
            return LOST;
        }
    }

    /** A hold of this thread; another hold of the same lock is not it. */
    private record HeldByThread(DistributedLock lock, long token) implements Held {
        @Override
        public boolean isHeld() {
            return tokenOf(lock) == token;
        }

        @Override
        public Ending release() {
            return unlock(lock);
        }
    }
}
