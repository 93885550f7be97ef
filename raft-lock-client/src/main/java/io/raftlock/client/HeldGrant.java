package io.raftlock.client;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** The grant that users have in hand. */
final class HeldGrant implements LockGrant {
    private static final Logger LOG = LoggerFactory.getLogger(HeldGrant.class);

    private final Hold hold;
    private final Calls calls;
    private final AtomicReference<@Nullable CompletableFuture<Void>> release =
            new AtomicReference<>();

    HeldGrant(Hold hold, Calls calls) {
        this.hold = hold;
        this.calls = calls;
    }

    static Function<Hold, LockGrant> in(Calls calls) {
        return hold -> new HeldGrant(hold, calls);
    }

    @Override
    public String lockName() {
        return hold.name().value();
    }

    @Override
    public FencingToken token() {
        return hold.token();
    }

    @Override
    public boolean isHeld() {
        return hold.isHeld();
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(hold.leftNanos());
    }

    @Override
    public CompletionStage<LossReason> lost() {
        return hold.lost();
    }

    @Override
    public void release() {
        // Before anything else: who may not wait here has not released, and may do so elsewhere.
        calls.requireOffLoop();
        if (release.compareAndSet(null, CompletableFuture.completedFuture(null))) {
            calls.release(hold);
        }
    }

    @Override
    public CompletableFuture<Void> releaseAsync() {
        CompletableFuture<Void> mine = new CompletableFuture<>();
        CompletableFuture<Void> first = release.compareAndExchange(null, mine);
        if (first != null) {
            return first.copy();
        }
        CompletableFuture<Void> unused =
                calls.releaseAsync(hold)
                        .whenComplete(
                                (done, failure) -> {
                                    if (failure == null) {
                                        mine.complete(null);
                                    } else {
                                        mine.completeExceptionally(failure);
                                    }
                                });
        return mine.copy();
    }

    @Override
    public void close() {
        try {
            release();
        } catch (LockLostException | OutcomeUnknownException over) {
            LOG.debug("closed a grant whose hold was over: {}", over.getMessage());
        }
    }

    @Override
    public String toString() {
        return "LockGrant[%s, token %d, %s]"
                .formatted(lockName(), token().value(), isHeld() ? "held" : "over");
    }
}
