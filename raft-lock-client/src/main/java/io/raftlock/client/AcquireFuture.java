package io.raftlock.client;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.CompletableFuture;

/**
 * The future of an acquire, or a stage that was made of it. Who ends a stage ends the acquire too:
 * what was to use the grant and to release it does not run any more, and the lock would be held by
 * nobody.
 */
final class AcquireFuture<T extends @Nullable Object> extends CompletableFuture<T> {
    private final @Nullable AcquireFuture<?> source;

    AcquireFuture() {
        this(null);
    }

    private AcquireFuture(@Nullable AcquireFuture<?> source) {
        this.source = source;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new AcquireFuture<>(this);
    }

    /** Is handed out so that others cannot end this one. */
    @Override
    public CompletableFuture<T> copy() {
        return minimalCompletionStage().toCompletableFuture();
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return ended(super.cancel(mayInterruptIfRunning));
    }

    @Override
    public boolean complete(T value) {
        return ended(super.complete(value));
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        return ended(super.completeExceptionally(failure));
    }

    /** Stages that complete in turn, from the source on, do not come here. */
    private boolean ended(boolean now) {
        if (now && source != null) {
            source.cancel(false);
        }
        return now;
    }
}
