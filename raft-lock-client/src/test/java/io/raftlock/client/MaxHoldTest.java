package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.Request;
import io.raftlock.protocol.Response;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Holds that end after a time, by the client's clock before the cluster's. */
class MaxHoldTest extends SimulatedClient {

    @Test
    void aHoldEndsAtItsMaxHoldAndNotLaterThanAtTheCluster() { // E29
        CompletableFuture<LockGrant> future =
                lock.acquireAsync(AcquireOptions.defaults().maxHold(Duration.ofSeconds(4)));
        while (!future.isDone()) {
            loop.advance(Duration.ofMillis(1));
        }
        LockGrant grant = valueOf(future);
        List<LossReason> lost = new ArrayList<>();
        grant.lost().thenAccept(lost::add);
        assertThat(grant.remaining()).isBetween(Duration.ofMillis(3_940), Duration.ofMillis(3_961));
        loop.advance(Duration.ofMillis(3_930));
        assertThat(grant.isHeld()).isTrue();
        loop.advance(Duration.ofMillis(40));
        assertThat(grant.isHeld()).isFalse();
        assertThat(cluster.isHeld("k")).isTrue();
        assertThat(lost).containsExactly(LossReason.MAX_HOLD_REACHED);
        loop.advance(Duration.ofSeconds(1));
        assertThat(cluster.isHeld("k")).isFalse();
        assertThat(lost).hasSize(1);
        CompletableFuture<Void> release = grant.releaseAsync();
        loop.settle();
        assertThat(failureOf(release))
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        thrown ->
                                assertThat(thrown.reason()).isEqualTo(LossReason.MAX_HOLD_REACHED));
    }

    @Test
    void aPushedGrantsMaxHoldCountsFromTheGrantNotFromTheRequest() { // E29
        cluster.strangerLocks("k");
        CompletableFuture<LockGrant> future =
                lock.acquireAsync(AcquireOptions.defaults().maxHold(Duration.ofSeconds(4)));
        loop.advance(Duration.ofSeconds(60));
        cluster.strangerUnlocks("k");
        loop.advance(ROUND_TRIP);
        LockGrant grant = valueOf(future);
        assertThat(grant.remaining()).isBetween(Duration.ofMillis(3_900), Duration.ofMillis(3_961));
    }

    @Test
    void aTryWhoseHoldIsOverBeforeItsGrantArrivesComesBackEmpty() { // E29
        grant().releaseAsync();
        loop.advance(ROUND_TRIP);
        cluster.responseArrives = (response, push) -> response.kind() != Response.Kind.GRANTED;
        CompletableFuture<Optional<LockGrant>> tried =
                lock.tryAcquireAsync(
                        Duration.ofSeconds(9),
                        AcquireOptions.defaults().maxHold(Duration.ofMillis(100)));
        loop.advance(Duration.ofSeconds(1));
        cluster.responseArrives = (response, push) -> true;
        cluster.cutConnections();
        loop.advance(Duration.ofSeconds(1));
        assertThat(valueOf(tried)).isEmpty();
    }

    @Test
    void anAcquireWhoseHoldIsOverBeforeItsPushIsMadeUpForIsLost() { // E29
        cluster.strangerLocks("k");
        CompletableFuture<LockGrant> future =
                lock.acquireAsync(AcquireOptions.defaults().maxHold(Duration.ofMillis(100)));
        loop.advance(Duration.ofSeconds(1));
        cluster.responseArrives = (response, push) -> !push;
        cluster.strangerUnlocks("k");
        loop.advance(Duration.ofSeconds(3));
        assertThat(failureOf(future)).isInstanceOf(LockLostException.class);
    }

    @Test
    void aGrantThatIsLateByMoreThanItsMaxHoldIsAFailureAndGivenBack() { // E29
        openSession();
        cluster.responseWaits = (response, push) -> response.kind() == Response.Kind.GRANTED;
        AcquireOptions options = AcquireOptions.defaults().maxHold(Duration.ofMillis(300));
        CompletableFuture<LockGrant> acquired = client.lock("a").acquireAsync(options);
        CompletableFuture<Optional<LockGrant>> tried =
                client.lock("b").tryAcquireAsync(TTL, options);
        loop.advance(Duration.ofMillis(299));
        // The cluster's time stands still without a leader: there both are still held.
        cluster.elect(-1);
        loop.advance(Duration.ofMillis(200));
        cluster.letResponsesGo();
        cluster.elect(0);
        loop.advance(ROUND_TRIP);
        assertThat(failureOf(acquired))
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        lost -> assertThat(lost.reason()).isEqualTo(LossReason.MAX_HOLD_REACHED));
        assertThat(valueOf(tried)).isEmpty();
        loop.advance(ROUND_TRIP);
        assertThat(cluster.count(Request.CancelAcquire.class)).isEqualTo(2);
        assertThat(cluster.isHeld("a")).isFalse();
        assertThat(cluster.isHeld("b")).isFalse();
    }

    @Test
    void whatRemainsIsCountedFromWhenTheRequestWasSent() { // E29
        openSession();
        loop.advance(PERIOD);
        cluster.responseWaits = (response, push) -> response.kind() == Response.Kind.GRANTED;
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        CompletableFuture<LockGrant> limited =
                client.lock("limited")
                        .acquireAsync(AcquireOptions.defaults().maxHold(Duration.ofSeconds(5)));
        // Less than to the next keep-alive, which would confirm the session anew.
        Duration late = Duration.ofMillis(500);
        loop.advance(late);
        cluster.letResponsesGo();
        loop.advance(ROUND_TRIP);
        assertThat(valueOf(future).remaining())
                .isLessThanOrEqualTo(TTL.minus(TTL.dividedBy(100)).minusMillis(10).minus(late));
        assertThat(valueOf(limited).remaining()).isLessThan(Duration.ofSeconds(5).minus(late));
    }
}
