package io.raftlock.client;

import io.raftlock.protocol.LockName;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;

/** One hold of a lock by one owner, bound to the session that got it. Any thread may ask. */
final class Hold {
    private final LockName name;
    private final long owner;
    private final long number;
    private final FencingToken token;
    private final Loop loop;
    private final ClientSession session;
    private final @Nullable Long deadlineNanos;
    private final AtomicReference<@Nullable End> end = new AtomicReference<>();
    private final CompletableFuture<LossReason> lost = new CompletableFuture<>();
    private Loop.Timer timer = Loop.Timer.NONE;

    /** How it ended: with a reason if it was lost, without if its owner released it. */
    private record End(@Nullable LossReason lost) {}

    /**
     * @param call the acquire that was granted
     * @param deadlineNanos when it ends by itself, or null
     */
    Hold(
            AcquireCall call,
            FencingToken token,
            Loop loop,
            ClientSession session,
            @Nullable Long deadlineNanos) {
        this.name = call.name();
        this.owner = call.owner();
        this.number = call.number();
        this.token = token;
        this.loop = loop;
        this.session = session;
        this.deadlineNanos = deadlineNanos;
    }

    LockName name() {
        return name;
    }

    long owner() {
        return owner;
    }

    /** Returns the number of the acquire that was granted. */
    long number() {
        return number;
    }

    FencingToken token() {
        return token;
    }

    ClientSession session() {
        return session;
    }

    boolean isHeld() {
        return end.get() == null && overSince(loop.nanoTime()) == null;
    }

    /** Returns how long it lasts if nothing is heard from now on; 0 if it is over. */
    long leftNanos() {
        if (end.get() != null) {
            return 0;
        }
        long now = loop.nanoTime();
        long left = session.leaseLeftNanos(now);
        return deadlineNanos == null ? left : Math.max(0, Math.min(left, deadlineNanos - now));
    }

    /** Returns why it was lost, or null if it is held or was released. */
    @Nullable LossReason lossReason() {
        End now = end.get();
        return now == null ? overSince(loop.nanoTime()) : now.lost;
    }

    /** Completes on the callback executor, if the hold is lost. */
    CompletionStage<LossReason> lost() {
        return lost.minimalCompletionStage();
    }

    /** Makes it not held any more, by its owner's wish; false if it was lost or released before. */
    boolean startRelease() {
        return isHeld() && end.compareAndSet(null, new End(null));
    }

    /** Ends it without its owner's wish. Loop thread. */
    void lose(LossReason reason, Callbacks callbacks) {
        timer.cancel();
        if (end.compareAndSet(null, new End(reason))) {
            callbacks.run(() -> lost.complete(reason));
        }
    }

    /** Has the task run when the hold ends by itself, if it does. Loop thread. */
    void atDeadline(Runnable task) {
        if (deadlineNanos != null) {
            timer = loop.schedule(task, Math.max(0, deadlineNanos - loop.nanoTime()));
        }
    }

    /** It is over and nobody needs to be told. Loop thread. */
    void forget() {
        timer.cancel();
    }

    private @Nullable LossReason overSince(long now) {
        if (deadlineNanos != null && now - deadlineNanos >= 0) {
            return LossReason.MAX_HOLD_REACHED;
        }
        return session.isLeaseLive(now) ? null : LossReason.LEASE_RAN_OUT;
    }
}
