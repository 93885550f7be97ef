package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.Request;
import io.raftlock.protocol.Response;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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
        LockGrant grant = valueOf(future);
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
    void aWaiterWhoseAnswerIsLostKeepsItsOnePlaceInTheQueue() { // H1
        openSession();
        cluster.strangerLocks("k");
        List<QueuePosition> places = new ArrayList<>();
        cluster.responseArrives = (response, push) -> response.kind() != Response.Kind.QUEUED;
        CompletableFuture<LockGrant> first =
                lock.acquireAsync(AcquireOptions.defaults().onProgress(places::add));
        loop.advance(ROUND_TRIP);
        cluster.strangerLocks("k");
        cluster.responseArrives = (response, push) -> true;
        cluster.kill(0);
        cluster.elect(1);
        loop.advance(Duration.ofSeconds(3));
        assertThat(places).containsExactly(new QueuePosition(1));
        assertThat(cluster.waiters("k")).isEqualTo(2);
        cluster.strangerUnlocks("k");
        loop.advance(ROUND_TRIP);
        valueOf(first).releaseAsync();
        loop.advance(ROUND_TRIP);
        cluster.strangerUnlocks("k");
        assertFree("after the second stranger");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anAcquireThatIsGivenUpAfterItsAnswerWasLostLeavesNothing(boolean contended) { // H1
        openSession();
        if (contended) {
            cluster.strangerLocks("k");
        }
        cluster.responseArrives = (response, push) -> false;
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        loop.advance(ROUND_TRIP);
        cluster.kill(0);
        future.cancel(true);
        loop.advance(ROUND_TRIP);
        assertThat(cluster.isHeld("k")).isTrue();
        cluster.responseArrives = (response, push) -> true;
        cluster.elect(1);
        loop.advance(Duration.ofSeconds(3));
        assertThat(cluster.count(Request.CancelAcquire.class)).isPositive();
        if (contended) {
            assertThat(cluster.waiters("k")).isZero();
            cluster.strangerUnlocks("k");
        }
        assertFree("after the cancel");
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
        LockGrant grant = valueOf(future);
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
        assertThat(valueOf(future).isHeld()).isTrue();
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
        assertThat(valueOf(future).isHeld()).isTrue();
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

    @Test
    void aPushThatTheDyingLeaderDidNotSendIsMadeUpForByTheNext() { // H12
        cluster.strangerLocks("k");
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        loop.advance(Duration.ofSeconds(1));
        cluster.responseArrives = (response, push) -> !push;
        cluster.strangerUnlocks("k");
        cluster.kill(0);
        cluster.responseArrives = (response, push) -> true;
        cluster.elect(2);
        assertThat(timeUntilDone(future, PERIOD)).isLessThan(PERIOD);
        assertThat(valueOf(future).isHeld()).isTrue();
    }

    @Test
    void aPushThatMeetsAClientBetweenTwoNodesIsMadeUpForOnTheNext() { // H12
        openSession();
        cluster.strangerLocks("k");
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        loop.advance(ROUND_TRIP);
        cluster.cutConnections();
        loop.advance(ROUND_TRIP.dividedBy(2));
        // Before it has connected again: the push goes nowhere.
        cluster.strangerUnlocks("k");
        cluster.elect(2);
        assertThat(timeUntilDone(future, PERIOD)).isLessThan(PERIOD);
        assertThat(valueOf(future).isHeld()).isTrue();
    }

    @Test
    void withPushesLostNoHandOffTakesLongerThanAKeepAlive() { // H12
        Duration longest = handOff(12, 0);
        assertThat(longest).isLessThanOrEqualTo(PERIOD.plus(ROUND_TRIP));
    }

    @Test
    void withPushesLostAndLeadersChangedNoHandOffTakesLongerThanAKeepAliveAndTheWay() { // H12
        Duration longest = handOff(13, 50);
        // Refused, it connects, greets, attaches and asks after what it waits for.
        assertThat(longest).isLessThanOrEqualTo(PERIOD.plus(ROUND_TRIP.multipliedBy(5)));
    }

    /** Three clients pass the lock on a thousand times; returns the longest time without holder. */
    private Duration handOff(long seed, int changeLeaderEvery) {
        Random random = new Random(seed);
        int[] dropped = {0};
        cluster.responseArrives =
                (response, push) -> {
                    boolean arrives = !push || random.nextInt(100) > 0;
                    dropped[0] += arrives ? 0 : 1;
                    return arrives;
                };
        Passing passing = new Passing(changeLeaderEvery);
        for (int at = 0; at < 3; at++) {
            passing.takeTurns(newClient(20 + at).lock("k"));
        }
        for (int at = 0; at < 10_000 && passing.count < 1_000; at++) {
            loop.advance(Duration.ofMillis(100));
        }
        assertThat(passing.count).as("seed %d", seed).isGreaterThanOrEqualTo(1_000);
        assertThat(dropped[0]).as("seed %d", seed).isPositive();
        return Duration.ofNanos(passing.longest);
    }

    private final class Passing {
        private final int changeLeaderEvery;
        private int count;
        private long freedAt = loop.nanoTime();
        private long longest;

        Passing(int changeLeaderEvery) {
            this.changeLeaderEvery = changeLeaderEvery;
        }

        void takeTurns(DistributedLock turns) {
            turns.acquireAsync()
                    .thenAccept(
                            grant -> {
                                // The first ones have their sessions to open.
                                longest =
                                        count < 3
                                                ? 0
                                                : Math.max(longest, loop.nanoTime() - freedAt);
                                count++;
                                if (changeLeaderEvery > 0 && count % changeLeaderEvery == 0) {
                                    cluster.elect(count / changeLeaderEvery % 3);
                                }
                                loop.schedule(() -> passOn(turns, grant), 5_000_000);
                            });
        }

        private void passOn(DistributedLock turns, LockGrant grant) {
            grant.releaseAsync().thenRun(() -> takeTurns(turns));
            freedAt = loop.nanoTime();
        }
    }
}
