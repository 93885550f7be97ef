package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.Request;
import io.raftlock.protocol.Response;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The lock goes from one to the next, whatever message is lost on the way. */
class HandOffTest extends SimulatedClient {

    @Test
    void aLostAnswerIsAskedForAgainUnderTheSameNumber() { // H1
        grant().releaseAsync();
        loop.advance(ROUND_TRIP);
        cluster.responseArrives = (response, push) -> response.kind() != Response.Kind.GRANTED;
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        loop.advance(ROUND_TRIP);
        assertThat(cluster.isHeld("k")).isTrue();
        assertThat(future).isNotDone();
        cluster.responseArrives = (response, push) -> true;
        cluster.kill(0);
        cluster.elect(1);
        loop.advance(Duration.ofSeconds(3));
        LockGrant grant = future.join();
        List<Long> numbers =
                cluster.received.stream()
                        .filter(Request.Acquire.class::isInstance)
                        .map(request -> ((Request.Acquire) request).number())
                        .toList();
        assertThat(numbers).containsExactly(1L, 3L, 3L);
        grant.releaseAsync();
        loop.advance(ROUND_TRIP);
        assertThat(cluster.isHeld("k")).isFalse();
    }

    @Test
    void aGrantMayBePushedBeforeTheAnswerAndAgainAfterIt() { // H12
        cluster.strangerLocks("k");
        // The answer "queued" is held back: the grant comes first, the answer after it.
        cluster.responseArrives = (response, push) -> response.kind() != Response.Kind.QUEUED;
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        loop.advance(Duration.ofMillis(300));
        cluster.strangerUnlocks("k");
        loop.advance(ROUND_TRIP);
        LockGrant grant = future.join();
        assertThat(grant.isHeld()).isTrue();
        cluster.responseArrives = (response, push) -> true;
        cluster.cutConnections();
        loop.advance(Duration.ofSeconds(20));
        assertThat(grant.isHeld()).isTrue();
        assertThat(cluster.count(Request.Acquire.class)).isEqualTo(1);
    }

    @Test
    void aLostPushIsMadeUpForByAKeepAlive() { // H12
        cluster.strangerLocks("k");
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        loop.advance(Duration.ofSeconds(1));
        cluster.responseArrives = (response, push) -> !push;
        cluster.strangerUnlocks("k");
        loop.advance(Duration.ofSeconds(1).plus(TTL.dividedBy(6)));
        assertThat(future.join().isHeld()).isTrue();
    }

    @Test
    void aPushThatIsLostWithItsConnectionIsMadeUpForAtOnce() { // H12
        cluster.strangerLocks("k");
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        loop.advance(Duration.ofSeconds(1));
        cluster.responseArrives = (response, push) -> !push;
        cluster.strangerUnlocks("k");
        cluster.cutConnections();
        loop.advance(Duration.ofMillis(300));
        assertThat(future.join().isHeld()).isTrue();
    }

    @Test
    void manyWaitersAreAskedAfterInTurn() { // H12
        cluster.strangerLocks("k");
        List<CompletableFuture<LockGrant>> waiting = new ArrayList<>();
        for (int at = 0; at < 5_000; at++) {
            CompletableFuture<LockGrant> future = lock.acquireAsync();
            future.thenAccept(LockGrant::releaseAsync);
            waiting.add(future);
        }
        loop.advance(Duration.ofSeconds(2));
        assertThat(cluster.waiters("k")).isEqualTo(5_000);
        cluster.received.clear();
        loop.advance(TTL.dividedBy(6).multipliedBy(3));
        assertThat(cluster.received)
                .filteredOn(Request.KeepAlive.class::isInstance)
                .allSatisfy(
                        request ->
                                assertThat(((Request.KeepAlive) request).pending()).hasSize(2_000));
        assertThat(
                        cluster.received.stream()
                                .filter(Request.KeepAlive.class::isInstance)
                                .flatMap(
                                        request -> ((Request.KeepAlive) request).pending().stream())
                                .distinct())
                .hasSize(5_000);
        cluster.strangerUnlocks("k");
        loop.advance(Duration.ofSeconds(30));
        assertThat(waiting).allMatch(CompletableFuture::isDone);
    }
}
