package io.raftlock.client;

import io.raftlock.protocol.LockName;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One thread as an owner of locks in one client. Used by that thread alone, and kept by that thread
 * alone: it goes when the thread goes, and its number is never used again.
 */
final class ThreadOwner {
    private final long number;
    private final Map<LockName, Holds> holds = new HashMap<>();

    /** A thread's holds of one lock: the live one, and what it owes for those it has lost. */
    private static final class Holds {
        private @Nullable Hold live;
        private int count;
        private int owedForLost;
        private LossReason lossReason = LossReason.NO_LONGER_HELD;
    }

    ThreadOwner(long number) {
        this.number = number;
    }

    /** Returns the owners of a client's threads, drawing their numbers from the counter. */
    static ThreadLocal<ThreadOwner> perThread(AtomicLong counter) {
        return ThreadLocal.withInitial(() -> new ThreadOwner(counter.incrementAndGet()));
    }

    long number() {
        return number;
    }

    /** Counts up if this thread holds the lock; false if it has to acquire it. */
    boolean reenter(LockName name) {
        Holds found = current(name);
        if (found == null || found.live == null) {
            return false;
        }
        if (found.count == Integer.MAX_VALUE) {
            throw new Error("Maximum lock count exceeded");
        }
        found.count++;
        return true;
    }

    void acquired(Hold hold) {
        Holds found = holds.computeIfAbsent(hold.name(), name -> new Holds());
        settleLoss(found);
        found.live = hold;
        found.count = 1;
    }

    int count(LockName name) {
        Holds found = current(name);
        return found == null ? 0 : found.count;
    }

    /**
     * Returns the hold of this thread.
     *
     * @throws IllegalMonitorStateException if there is none; that it is lost is told by its kind
     */
    Hold held(LockName name) {
        Holds found = current(name);
        if (found == null) {
            throw notHeld(name);
        }
        if (found.live == null) {
            throw new LockLostException(name.value(), found.lossReason);
        }
        return found.live;
    }

    /**
     * Counts down.
     *
     * @return the hold to release if that was the last count, or null
     * @throws IllegalMonitorStateException if this thread does not hold the lock
     * @throws LockLostException if it was lost
     */
    @Nullable Hold exit(LockName name) {
        Holds found = current(name);
        if (found == null) {
            throw notHeld(name);
        }
        Hold live = found.live;
        if (live == null) {
            found.owedForLost--;
            forgetIfDone(name, found);
            throw new LockLostException(name.value(), found.lossReason);
        }
        found.count--;
        if (found.count > 0) {
            return null;
        }
        found.live = null;
        forgetIfDone(name, found);
        return live;
    }

    private @Nullable Holds current(LockName name) {
        Holds found = holds.get(name);
        if (found != null) {
            settleLoss(found);
        }
        return found;
    }

    /** What was lost is no hold any more; its unlocks are still owed. */
    private static void settleLoss(Holds found) {
        Hold live = found.live;
        LossReason reason = live == null ? null : live.lossReason();
        if (reason != null) {
            found.owedForLost += found.count;
            found.lossReason = reason;
            found.live = null;
            found.count = 0;
        }
    }

    private void forgetIfDone(LockName name, Holds found) {
        if (found.live == null && found.owedForLost == 0) {
            holds.remove(name);
        }
    }

    private static IllegalMonitorStateException notHeld(LockName name) {
        return new IllegalMonitorStateException(
                "this thread does not hold the lock \"%s\"; only the thread that locked it can unlock it"
                        .formatted(name));
    }
}
