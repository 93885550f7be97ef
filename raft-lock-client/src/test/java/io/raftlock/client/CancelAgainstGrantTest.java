package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.Request;
import io.raftlock.protocol.Response;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** A call is given up while its grant is on the way: nobody may be left with the lock. */
class CancelAgainstGrantTest extends SimulatedClient {
    private static final Duration TIMEOUT = Duration.ofMillis(100);

    /**
     * T: the time is over here; R: the holder's release is applied, P: the grant is delivered; C:
     * the cancel is applied. There are no other orders, for R comes before P, and T before C.
     */
    @ParameterizedTest
    @ValueSource(strings = {"TCRP", "TRCP", "TRPC", "RTCP", "RTPC", "RPTC"})
    void inEveryOrderAFutureOwnsTheLockOrIsNeitherHolderNorWaiter(String order) { // H2
        openSession();
        cluster.strangerLocks("k");
        long deadline = loop.nanoTime() + TIMEOUT.toNanos();
        CompletableFuture<Optional<LockGrant>> tried = lock.tryAcquireAsync(TIMEOUT);
        play(order, deadline, () -> assertThat(tried).as("ends on time").isDone());
        Optional<LockGrant> got = valueOf(tried);
        assertOwnsOrIsGone(order, got.isPresent());
        got.ifPresent(LockGrant::releaseAsync);
        loop.advance(ROUND_TRIP);
        assertFree(order);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TCRP", "TRCP", "TRPC", "RTCP", "RTPC", "RPTC"})
    void inEveryOrderAThreadOwnsTheLockOrIsNeitherHolderNorWaiter(String order)
            throws Exception { // H2
        openSession();
        cluster.strangerLocks("k");
        try (Caller thread = new Caller(loop)) {
            long deadline = loop.nanoTime() + TIMEOUT.toNanos();
            FutureTask<Boolean> tried =
                    thread.start(() -> lock.tryLock(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS));
            play(order, deadline, () -> thread.finishNow(tried));
            assertThat(thread.call(lock::isHeldByCurrentThread)).isEqualTo(tried.get());
            assertOwnsOrIsGone(order, tried.get());
            if (tried.get()) {
                thread.run(lock::unlock);
            }
        }
        assertFree(order);
    }

    private interface Step {
        void run() throws Exception;
    }

    private void play(String order, long deadline, Step whenTimeIsOver) {
        cluster.responseWaits = (response, push) -> push;
        cluster.requestWaits = Request.CancelAcquire.class::isInstance;
        loop.advance(ROUND_TRIP.multipliedBy(5));
        assertThat(cluster.waiters("k")).isEqualTo(1);
        for (char step : order.toCharArray()) {
            switch (step) {
                case 'T' -> timeIsOver(deadline, whenTimeIsOver);
                case 'R' -> cluster.strangerUnlocks("k");
                case 'P' -> cluster.letResponsesGo();
                default -> cluster.letRequestsGo();
            }
            // Long enough for a message to arrive where it waits, or where it was let go to.
            loop.advance(ROUND_TRIP.dividedBy(2));
        }
        loop.advance(ROUND_TRIP.dividedBy(2));
    }

    private void timeIsOver(long deadline, Step whenTimeIsOver) {
        loop.advance(Duration.ofNanos(deadline - loop.nanoTime()));
        try {
            whenTimeIsOver.run();
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
        loop.settle();
    }

    private void assertOwnsOrIsGone(String order, boolean owns) {
        assertThat(owns).as(order).isEqualTo(order.equals("RPTC"));
        assertThat(cluster.isHeldBy(session(), "k")).as(order).isEqualTo(owns);
        assertThat(cluster.waiters("k")).as(order).isZero();
        assertThat(cluster.count(Request.CancelAcquire.class)).as(order).isEqualTo(owns ? 0 : 1);
    }

    @Test
    void withoutALeaderATryEndsOnTimeAndItsCancelIsRetriedUntilItIsAcknowledged() { // H2
        openSession();
        cluster.strangerLocks("k");
        CompletableFuture<Optional<LockGrant>> tried = lock.tryAcquireAsync(TIMEOUT);
        loop.advance(ROUND_TRIP.multipliedBy(5));
        cluster.elect(-1);
        assertThat(timeUntilDone(tried, TTL)).isLessThanOrEqualTo(TIMEOUT);
        assertThat(valueOf(tried)).isEmpty();
        loop.advance(Duration.ofSeconds(3));
        assertThat(cluster.waiters("k")).isEqualTo(1);
        // The first answers are lost with their connections.
        int[] lost = {3};
        cluster.responseArrives =
                (response, push) -> {
                    if (response.kind() != Response.Kind.CANCELLED || lost[0]-- <= 0) {
                        return true;
                    }
                    cluster.cutConnections();
                    return false;
                };
        cluster.elect(2);
        loop.advance(TTL.dividedBy(2));
        List<Request.CancelAcquire> cancels = cluster.received(Request.CancelAcquire.class);
        assertThat(cancels).hasSizeGreaterThanOrEqualTo(4);
        assertThat(cancels.stream().map(Request.CancelAcquire::number).distinct()).hasSize(1);
        loop.advance(PERIOD.multipliedBy(5));
        assertThat(cluster.received(Request.CancelAcquire.class)).hasSameSizeAs(cancels);
        cluster.strangerUnlocks("k");
        assertFree("after the cancel");
    }

    @Test
    void aThreadThatTriesAgainWhileItsLastTryIsTakenBackIsNotRefused() { // H2
        openSession();
        cluster.strangerLocks("k");
        cluster.requestWaits = Request.CancelAcquire.class::isInstance;
        try (Caller thread = new Caller(loop)) {
            FutureTask<Boolean> first = thread.start(() -> lock.tryLock(5, TimeUnit.MILLISECONDS));
            loop.advance(Duration.ofMillis(5));
            assertThat(thread.finishNow(first)).isFalse();
            FutureTask<Boolean> second = thread.start(() -> lock.tryLock(1, TimeUnit.DAYS));
            loop.advance(Duration.ofMillis(300));
            assertThat(cluster.waiters("k")).as("the first, not taken back yet").isEqualTo(1);
            cluster.letRequestsGo();
            loop.advance(TTL);
            cluster.strangerUnlocks("k");
            assertThat(thread.finish(second)).isTrue();
            thread.run(lock::unlock);
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
        assertFree("after both");
    }

    @Test
    void aTimedOutWaitIsTakenBackAndReportedOnTime() { // H2
        cluster.strangerLocks("k");
        CompletableFuture<Optional<LockGrant>> future =
                lock.tryAcquireAsync(Duration.ofMillis(100));
        loop.advance(Duration.ofMillis(99));
        assertThat(future).isNotDone();
        assertThat(cluster.waiters("k")).isEqualTo(1);
        loop.advance(Duration.ofMillis(1));
        assertThat(valueOf(future)).isEmpty();
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
        assertThat(valueOf(future)).isEmpty();
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
        assertThat(valueOf(future)).isPresent();
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
