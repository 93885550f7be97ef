package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.Response;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The plain way, many calls at once, and what nodes refuse; no real time. */
class SimulatedClientTest extends SimulatedClient {

    @Test
    void aGrantHasAGrowingTokenAndIsReleased() {
        LockGrant first = grant();
        assertThat(first.isHeld()).isTrue();
        assertThat(first.lockName()).isEqualTo("k");
        assertThat(client.sessionState()).isEqualTo(SessionState.ACTIVE);
        CompletableFuture<Void> released = first.releaseAsync();
        assertThat(first.isHeld()).isFalse();
        loop.advance(ROUND_TRIP);
        assertThat(released).isCompleted();
        assertThat(cluster.isHeld("k")).isFalse();
        LockGrant second = grant();
        assertThat(second.token()).isGreaterThan(first.token());
        assertThat(second.token().logIndex()).isEqualTo(second.token().value() >>> 12);
    }

    @Test
    void twoGrantsOfOneClientExcludeEachOther() { // E46
        LockGrant first = grant();
        CompletableFuture<LockGrant> second = lock.acquireAsync();
        loop.advance(Duration.ofSeconds(30));
        assertThat(second).isNotDone();
        first.releaseAsync();
        loop.advance(Duration.ofMillis(4));
        assertThat(valueOf(second).token()).isGreaterThan(first.token());
    }

    @Test
    void aSecondReleaseDoesNothing() { // H9
        LockGrant grant = grant();
        grant.releaseAsync();
        grant.releaseAsync();
        loop.advance(ROUND_TRIP);
        assertThat(grant.releaseAsync()).isCompleted();
        assertThat(cluster.count(Request.Release.class)).isEqualTo(1);
    }

    @Test
    void theProgressIsThePlaceInTheQueue() {
        cluster.strangerLocks("k");
        List<QueuePosition> places = new ArrayList<>();
        lock.acquireAsync(AcquireOptions.defaults().onProgress(places::add));
        lock.acquireAsync(AcquireOptions.defaults().onProgress(places::add));
        loop.advance(Duration.ofSeconds(1));
        assertThat(places).containsExactly(new QueuePosition(1), new QueuePosition(2));
    }

    @Test
    void aTryWithoutWaitingIsEmptyWhenTheLockIsTaken() {
        cluster.strangerLocks("k");
        CompletableFuture<Optional<LockGrant>> future = lock.tryAcquireAsync(Duration.ZERO);
        loop.advance(Duration.ofMillis(200));
        assertThat(valueOf(future)).isEmpty();
        assertThat(cluster.waiters("k")).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"BUSY", "TOO_MANY_REQUESTS"})
    void aBusyNodeIsAskedAgain(String code) {
        grant().releaseAsync();
        loop.advance(ROUND_TRIP);
        int[] left = {3};
        cluster.answersInstead =
                request ->
                        request instanceof Request.Acquire && left[0]-- > 0
                                ? new Response.Refused(ErrorCode.valueOf(code), "later")
                                : null;
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        loop.advance(Duration.ofMillis(200));
        assertThat(valueOf(future).isHeld()).isTrue();
        assertThat(cluster.count(Request.Acquire.class)).isEqualTo(1 + 4);
    }

    @Test
    void anUnknownOutcomeIsAskedForAgain() {
        grant().releaseAsync();
        loop.advance(ROUND_TRIP);
        int[] left = {3};
        cluster.answersInstead =
                request ->
                        request instanceof Request.Acquire && left[0]-- > 0
                                ? new Response.Unknown("leader changed")
                                : null;
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        loop.advance(Duration.ofMillis(200));
        assertThat(valueOf(future).isHeld()).isTrue();
    }

    @Test
    void aRefusalIsToldWithItsCode() {
        cluster.answersInstead =
                request ->
                        request instanceof Request.Acquire
                                ? new Response.Refused(ErrorCode.QUEUE_FULL, "1000 wait")
                                : null;
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        loop.advance(Duration.ofSeconds(1));
        assertThat(failureOf(future))
                .isInstanceOfSatisfying(
                        LockRefusedException.class,
                        refused -> assertThat(refused.code()).isEqualTo(RefusalCode.QUEUE_FULL))
                .hasMessageContaining("1000 wait");
    }

    @Test
    void aSessionThatIsRefusedFailsTheCallsThatWaitForIt() {
        cluster.answersInstead =
                request ->
                        request instanceof Request.OpenSession
                                ? new Response.Refused(ErrorCode.TOO_MANY_SESSIONS, "full")
                                : null;
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        loop.advance(Duration.ofSeconds(1));
        assertThat(failureOf(future))
                .isInstanceOfSatisfying(
                        LockRefusedException.class,
                        refused ->
                                assertThat(refused.code())
                                        .isEqualTo(RefusalCode.TOO_MANY_SESSIONS));
        cluster.answersInstead = request -> null;
        assertThat(grant().isHeld()).isTrue();
    }

    @Test
    void thousandsOfCallsAtOnceKeepTheBoundsAndAllAreServed() {
        List<CompletableFuture<LockGrant>> futures = new ArrayList<>();
        for (int at = 0; at < 20_000; at++) {
            CompletableFuture<LockGrant> future = client.lock("k" + at % 5_000).acquireAsync();
            future.thenAccept(LockGrant::releaseAsync);
            futures.add(future);
        }
        loop.advance(Duration.ofSeconds(10));
        assertThat(futures).allMatch(CompletableFuture::isDone);
        assertThat(futures).noneMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(cluster.isHeld("k0")).isFalse();
    }
}
