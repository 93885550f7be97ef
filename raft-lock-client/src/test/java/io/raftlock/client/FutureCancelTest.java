package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/** Whenever a future is ended by its user, nothing that nobody owns is left behind. */
class FutureCancelTest extends SimulatedClient {
    private static final int ROUNDS = 500;
    private static final Duration ONE_WAY = ROUND_TRIP.dividedBy(2);

    /** What the user makes of the future and ends: the future itself, or what comes of it. */
    private enum Derived {
        ITSELF,
        APPLIED,
        COMPOSED,
        OF_A_DERIVED;

        CompletableFuture<?> of(CompletableFuture<LockGrant> future) {
            return switch (this) {
                case ITSELF -> future;
                case APPLIED -> future.thenApply(LockGrant::releaseAsync);
                case COMPOSED -> future.thenCompose(LockGrant::releaseAsync);
                case OF_A_DERIVED ->
                        future.thenCompose(LockGrant::releaseAsync)
                                .thenApply(released -> "done")
                                .exceptionally(failure -> "failed");
            };
        }
    }

    private static boolean end(CompletableFuture<?> future, int way) {
        return switch (way) {
            case 0 -> future.cancel(true);
            // As orTimeout and completeOnTimeout do.
            case 1 -> future.completeExceptionally(new TimeoutException());
            default -> future.complete(null);
        };
    }

    @ParameterizedTest
    @EnumSource(Derived.class)
    void wheneverAFutureIsEndedNothingIsLeftBehind(Derived derived) { // H7
        long seed = 11 + derived.ordinal();
        Random random = new Random(seed);
        openSession();
        for (int round = 0; round < ROUNDS; round++) {
            boolean contended = random.nextBoolean();
            int way = random.nextInt(3);
            // From before it is sent to after the grant is delivered.
            Duration moment = ONE_WAY.dividedBy(2).multipliedBy(random.nextInt(7));
            String why =
                    "seed %d, round %d: after %s, contended %s, way %d"
                            .formatted(seed, round, moment, contended, way);
            if (contended) {
                cluster.strangerLocks("k");
            }
            CompletableFuture<LockGrant> future = lock.acquireAsync();
            CompletableFuture<?> ended = derived.of(future);
            if (contended) {
                loop.advance(ROUND_TRIP);
                cluster.strangerUnlocks("k");
            }
            loop.advance(moment);
            if (!end(ended, way) && derived == Derived.ITSELF) {
                valueOf(future).releaseAsync();
            }
            loop.advance(ROUND_TRIP.multipliedBy(3));
            assertThat(future).as(why).isDone();
            assertFree(why);
        }
    }

    @Test
    void aWaitEndsWithTheStageThatWasMadeOfIt() { // H7
        cluster.strangerLocks("k");
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        CompletableFuture<Optional<LockGrant>> tried = lock.tryAcquireAsync(TTL);
        CompletableFuture<String> work = future.thenApply(grant -> "work");
        CompletableFuture<String> triedWork = tried.thenApply(grant -> "work");
        loop.advance(Duration.ofSeconds(1));
        assertThat(cluster.waiters("k")).isEqualTo(2);
        work.cancel(true);
        triedWork.completeExceptionally(new TimeoutException());
        loop.advance(ROUND_TRIP);
        assertThat(cluster.waiters("k")).isZero();
        assertThat(future).isCancelled();
        assertThat(tried).isCancelled();
    }

    @Test
    void aCopyMayBeEndedByWhomItWasHandedTo() {
        cluster.strangerLocks("k");
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        future.copy().cancel(true);
        future.thenAccept(grant -> {}).copy().cancel(true);
        cluster.strangerUnlocks("k");
        loop.advance(Duration.ofSeconds(1));
        assertThat(valueOf(future).isHeld()).isTrue();
    }

    @Test
    void aStageThatIsDoneMayBeCancelledWithoutHarm() {
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        CompletableFuture<LockGrant> same = future.thenApply(grant -> grant);
        loop.advance(Duration.ofSeconds(1));
        same.cancel(true);
        loop.advance(PERIOD);
        assertThat(valueOf(future).isHeld()).isTrue();
        assertThat(cluster.isHeldBy(session(), "k")).isTrue();
    }
}
