package io.raftlock.client;

import io.raftlock.protocol.LockName;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * The users' side of the loop: hands calls over and waits for them, or has futures completed. Used
 * by any thread.
 */
final class Calls {
    /** Calls that may wait for a lock at one time in one client. */
    static final int MAX_OPEN = 100_000;

    private static final long LONGEST_WAIT_NANOS = Long.MAX_VALUE / 2;
    private static final AcquireCall.Patience ENDLESS = AcquireCall.Patience.ENDLESS;

    private final Loop loop;
    private final SessionKeeper keeper;
    private final Callbacks callbacks;
    private final Endpoints endpoints;
    private final Duration requestTimeout;
    private final AtomicInteger open = new AtomicInteger();

    Calls(
            Loop loop,
            SessionKeeper keeper,
            Callbacks callbacks,
            Endpoints endpoints,
            Duration requestTimeout) {
        this.loop = loop;
        this.keeper = keeper;
        this.callbacks = callbacks;
        this.endpoints = endpoints;
        this.requestTimeout = requestTimeout;
    }

    /** Who wants which lock, and how. */
    record Wish(LockName name, long owner, AcquireOptions options) {}

    /** Waits for the lock, whatever interrupts. */
    Hold acquire(Wish wish) {
        AcquireCall call = submit(wish, ENDLESS, Outcome.forThisThread(), null);
        call.outcome().await();
        return granted(call);
    }

    /** Waits for the lock until interrupted; the flag is then still set. */
    Hold acquireInterruptibly(Wish wish) throws InterruptedException {
        AcquireCall call = submit(wish, ENDLESS, Outcome.forThisThread(), null);
        call.outcome().awaitInterruptibly(loop, deadline(LONGEST_WAIT_NANOS));
        if (giveUp(call)) {
            throw new InterruptedException();
        }
        return granted(call);
    }

    /** Asks once, whatever interrupts. */
    Optional<Hold> tryOnce(Wish wish) {
        AcquireCall call = submit(wish, AcquireCall.Patience.NONE, Outcome.forThisThread(), null);
        call.outcome().await(loop, deadline(saturatedNanos(requestTimeout)));
        if (giveUp(call)) {
            throw unavailable();
        }
        return stillHeld(call);
    }

    /** Waits for the lock for some time, until interrupted; the flag is then still set. */
    Optional<Hold> tryFor(Wish wish, long nanos) throws InterruptedException {
        if (nanos <= 0) {
            return tryOnce(wish);
        }
        long deadline = deadline(nanos);
        AcquireCall call = submit(wish, AcquireCall.Patience.SOME, Outcome.forThisThread(), null);
        call.outcome().awaitInterruptibly(loop, deadline);
        if (!giveUp(call)) {
            return stillHeld(call);
        }
        if (loop.nanoTime() - deadline < 0) {
            throw new InterruptedException();
        }
        return Optional.empty();
    }

    CompletableFuture<LockGrant> acquireAsync(Wish wish) {
        CompletableFuture<LockGrant> future = new AcquireFuture<>();
        AsyncCall<LockGrant> call = new AsyncCall<>(future, Calls::requireGrant);
        call.start(wish, ENDLESS, null);
        return future;
    }

    CompletableFuture<Optional<LockGrant>> tryAsync(Wish wish, long nanos) {
        CompletableFuture<Optional<LockGrant>> future = new AcquireFuture<>();
        AsyncCall<Optional<LockGrant>> call = new AsyncCall<>(future, grant -> grant);
        if (nanos > 0) {
            call.start(
                    wish,
                    AcquireCall.Patience.SOME,
                    new AcquireCall.Timeout(deadline(nanos), null));
        } else {
            call.start(
                    wish,
                    AcquireCall.Patience.NONE,
                    new AcquireCall.Timeout(
                            deadline(saturatedNanos(requestTimeout)), this::unavailable));
        }
        return future;
    }

    /**
     * Releases and waits for the answer or the end of the session.
     *
     * @throws LockLostException if the hold was over before
     */
    void release(Hold hold) {
        Outcome<Hold> outcome = Outcome.forThisThread();
        startRelease(hold, outcome);
        outcome.await();
        Hold unused = outcome.get();
    }

    CompletableFuture<Void> releaseAsync(Hold hold) {
        CompletableFuture<Void> future = new CompletableFuture<>();
        Release release = new Release(future);
        startRelease(hold, release.outcome);
        return future;
    }

    private void startRelease(Hold hold, Outcome<Hold> outcome) {
        if (!hold.startRelease()) {
            LossReason reason = hold.lossReason();
            outcome.fail(() -> lostOrReleased(hold, reason));
            return;
        }
        ReleaseCall call = new ReleaseCall(hold, outcome);
        try {
            loop.execute(() -> keeper.release(call));
        } catch (RejectedExecutionException closed) {
            call.lost(LossReason.CLIENT_CLOSED);
        }
    }

    private static RuntimeException lostOrReleased(Hold hold, @Nullable LossReason reason) {
        return new LockLostException(
                hold.name().value(), reason == null ? LossReason.NO_LONGER_HELD : reason);
    }

    private AcquireCall submit(
            Wish wish,
            AcquireCall.Patience patience,
            Outcome<Optional<Hold>> outcome,
            AcquireCall.@Nullable Timeout timeout) {
        requireOffLoop();
        AcquireCall call = call(wish, patience, outcome, timeout);
        hand(call);
        return call;
    }

    private AcquireCall call(
            Wish wish,
            AcquireCall.Patience patience,
            Outcome<Optional<Hold>> outcome,
            AcquireCall.@Nullable Timeout timeout) {
        return new AcquireCall(
                wish.name,
                wish.owner,
                patience,
                wish.options,
                outcome,
                timeout,
                open::decrementAndGet);
    }

    private void hand(AcquireCall call) {
        if (open.incrementAndGet() > MAX_OPEN) {
            call.fail(() -> Messages.tooManyCalls(MAX_OPEN));
            return;
        }
        try {
            loop.execute(() -> keeper.acquire(call));
        } catch (RejectedExecutionException closed) {
            call.fail(Messages::closed);
        }
    }

    /** Takes the call back, unless it is settled; what it may have got is given back. */
    private boolean giveUp(AcquireCall call) {
        boolean givenUp = call.giveUp();
        if (givenUp) {
            try {
                loop.execute(() -> keeper.giveUp(call));
            } catch (RejectedExecutionException closed) {
                // The session is closed, and with it all that the call could have got.
                return true;
            }
        }
        return givenUp;
    }

    private Hold granted(AcquireCall call) {
        return requireHeld(call.outcome().get().orElseThrow());
    }

    private static Optional<Hold> stillHeld(AcquireCall call) {
        return call.outcome().get().map(Calls::requireHeld);
    }

    /** The grant may have come just before the lease ran out, and this thread too late. */
    private static Hold requireHeld(Hold hold) {
        LossReason lost = hold.lossReason();
        if (lost == LossReason.MAX_HOLD_REACHED) {
            throw new LockLostException(hold.name().value(), lost);
        }
        if (lost != null) {
            throw new SessionExpiredException(lost);
        }
        return hold;
    }

    private static void releaseUnwanted(LockGrant grant) {
        CompletableFuture<Void> unused = grant.releaseAsync();
    }

    private static LockGrant requireGrant(Optional<LockGrant> grant) {
        return grant.orElseThrow();
    }

    private ClusterUnavailableException unavailable() {
        return Messages.unavailable(requestTimeout, endpoints.failures());
    }

    /**
     * Refuses to wait on the thread that everything waits for.
     *
     * @throws IllegalStateException if this is that thread
     */
    void requireOffLoop() {
        if (loop.inLoop()) {
            throw new IllegalStateException(
                    "a call that waits was made on the client's I/O thread; give the client a callback executor that does not run tasks in the calling thread");
        }
    }

    private long deadline(long nanos) {
        return loop.nanoTime() + Math.min(nanos, LONGEST_WAIT_NANOS);
    }

    static long saturatedNanos(Duration duration) {
        try {
            return duration.toNanos();
        } catch (ArithmeticException tooLong) {
            return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    /** Says that a thread was interrupted where no checked exception may be thrown. */
    static CancellationException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        CancellationException thrown =
                new CancellationException("interrupted while waiting for a lock; nothing is held");
        thrown.initCause(cause);
        return thrown;
    }

    /** Ties a future to an acquire: whichever is settled first settles the other. */
    private final class AsyncCall<T> {
        private final CompletableFuture<T> future;
        private final Function<Optional<LockGrant>, T> result;
        private final Outcome<Optional<Hold>> outcome = Outcome.withCallback(this::settled);

        AsyncCall(CompletableFuture<T> future, Function<Optional<LockGrant>, T> result) {
            this.future = future;
            this.result = result;
        }

        void start(
                Wish wish, AcquireCall.Patience patience, AcquireCall.@Nullable Timeout timeout) {
            AcquireCall call = call(wish, patience, outcome, timeout);
            // Also when the user completes the future, by cancel() or any other way.
            CompletableFuture<T> unused = future.whenComplete((value, thrown) -> giveUp(call));
            hand(call);
        }

        private void settled() {
            callbacks.run(this::tell);
        }

        private void tell() {
            Optional<LockGrant> grant;
            try {
                grant = outcome.get().map(Calls::requireHeld).map(HeldGrant.in(Calls.this));
            } catch (RuntimeException failure) {
                future.completeExceptionally(failure);
                return;
            }
            if (!future.complete(result.apply(grant))) {
                grant.ifPresent(Calls::releaseUnwanted);
            }
        }
    }

    /** Ties a future to a release. */
    private final class Release {
        private final CompletableFuture<Void> future;
        private final Outcome<Hold> outcome = Outcome.withCallback(this::settled);

        Release(CompletableFuture<Void> future) {
            this.future = future;
        }

        private void settled() {
            callbacks.run(this::tell);
        }

        private void tell() {
            try {
                Hold unused = outcome.get();
                future.complete(null);
            } catch (RuntimeException failure) {
                future.completeExceptionally(failure);
            }
        }
    }
}
