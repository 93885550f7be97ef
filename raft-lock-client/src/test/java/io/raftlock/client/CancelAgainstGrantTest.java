package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.Request;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A call is given up while its grant is on the way: nobody may be left with the lock. */
class CancelAgainstGrantTest extends SimulatedClient {

    @Test
    void aTimedOutWaitIsTakenBackAndReportedOnTime() { // H2
        cluster.strangerLocks("k");
        CompletableFuture<Optional<LockGrant>> future =
                lock.tryAcquireAsync(Duration.ofMillis(100));
        loop.advance(Duration.ofMillis(99));
        assertThat(future).isNotDone();
        assertThat(cluster.waiters("k")).isEqualTo(1);
        loop.advance(Duration.ofMillis(1));
        assertThat(future.join()).isEmpty();
        loop.advance(ROUND_TRIP);
        assertThat(cluster.waiters("k")).isZero();
    }

    @Test
    void aGrantThatComesAfterTheTimeoutIsGivenBack() { // H2
        grant().releaseAsync();
        loop.advance(ROUND_TRIP);
        cluster.strangerLocks("k");
        CompletableFuture<Optional<LockGrant>> future =
                lock.tryAcquireAsync(Duration.ofMillis(100));
        loop.advance(Duration.ofMillis(99).plusNanos(500_000));
        cluster.strangerUnlocks("k");
        assertThat(cluster.isHeld("k")).isTrue();
        loop.advance(Duration.ofMillis(1));
        assertThat(future.join()).isEmpty();
        loop.advance(ROUND_TRIP);
        assertThat(cluster.isHeld("k")).isFalse();
    }

    @Test
    void aGrantThatComesBeforeTheTimeoutCounts() { // H2
        grant().releaseAsync();
        loop.advance(ROUND_TRIP);
        cluster.strangerLocks("k");
        CompletableFuture<Optional<LockGrant>> future =
                lock.tryAcquireAsync(Duration.ofMillis(100));
        loop.advance(Duration.ofMillis(98).plusNanos(500_000));
        cluster.strangerUnlocks("k");
        loop.advance(Duration.ofMillis(10));
        assertThat(future.join()).isPresent();
        assertThat(cluster.isHeld("k")).isTrue();
        loop.advance(Duration.ofSeconds(5));
        assertThat(cluster.isHeld("k")).isTrue();
    }

    @Test
    void aCancelIsRetriedUntilItIsAcknowledged() { // H2
        grant().releaseAsync();
        loop.advance(ROUND_TRIP);
        cluster.strangerLocks("k");
        cluster.requestArrives = request -> !(request instanceof Request.CancelAcquire);
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        loop.advance(Duration.ofMillis(10));
        assertThat(future.cancel(true)).isTrue();
        loop.advance(Duration.ofMillis(500));
        assertThat(cluster.waiters("k")).isEqualTo(1);
        cluster.requestArrives = request -> true;
        cluster.cutConnections();
        loop.advance(Duration.ofMillis(300));
        assertThat(cluster.waiters("k")).isZero();
        assertThat(cluster.count(Request.Acquire.class)).isEqualTo(2);
    }

    @Test
    void aCancelThatOvertakesItsAcquireWins() { // H2
        grant().releaseAsync();
        loop.advance(ROUND_TRIP);
        cluster.requestArrives = request -> !(request instanceof Request.Acquire);
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        loop.settle();
        future.cancel(true);
        loop.advance(Duration.ofSeconds(1));
        cluster.requestArrives = request -> true;
        cluster.cutConnections();
        loop.advance(Duration.ofSeconds(5));
        assertThat(cluster.isHeld("k")).isFalse();
        assertThat(grant().isHeld()).isTrue();
    }

    @Test
    void aCallThatIsCancelledBeforeItIsSentIsNeverSent() { // H2
        cluster.killAll();
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        loop.advance(Duration.ofSeconds(1));
        future.cancel(false);
        cluster.restart(0);
        cluster.elect(0);
        loop.advance(Duration.ofSeconds(5));
        assertThat(cluster.sessions).isNotEmpty();
        assertThat(cluster.count(Request.Acquire.class)).isZero();
    }

    @Test
    void aFutureThatTheUserTimesOutGivesTheLockBack() { // H7
        cluster.strangerLocks("k");
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        loop.advance(Duration.ofMillis(200));
        future.completeExceptionally(new IllegalStateException("the user's own reason"));
        loop.advance(Duration.ofMillis(10));
        assertThat(cluster.waiters("k")).isZero();
    }
}
