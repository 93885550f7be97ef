package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.Response;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** The client against a cluster of which the test decides what arrives and when; no real time. */
class SimulatedClientTest {
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration ROUND_TRIP = Duration.ofMillis(2);

    private final SimulatedLoop loop = new SimulatedLoop();
    private final FakeCluster cluster = new FakeCluster(loop, 1_000_000);
    private final List<String> events = new ArrayList<>();
    private RaftLockClient client;
    private DistributedLock lock;

    @BeforeEach
    void build() {
        client =
                RaftLockClient.builder()
                        .endpoints(cluster.endpoints())
                        .sessionTtl(TTL)
                        .callbackExecutor(loop.callbackExecutor())
                        .build(
                                new RaftLockClient.Parts(loop, cluster, () -> {}, "test"),
                                new Random(1));
        lock = client.lock("k");
        client.addSessionListener(recording());
    }

    @AfterEach
    void keptTheProtocol() {
        assertThat(cluster.violations).isEmpty();
    }

    private SessionListener recording() {
        return new SessionListener() {
            @Override
            public void onSuspect(Duration left) {
                events.add("suspect " + left.toMillis());
            }

            @Override
            public void onRecovered() {
                events.add("recovered");
            }

            @Override
            public void onLost(LossReason reason) {
                events.add("lost " + reason);
            }
        };
    }

    private LockGrant grant() {
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        loop.advance(Duration.ofSeconds(1));
        assertThat(future).isCompleted();
        return future.join();
    }

    private static Throwable failureOf(CompletableFuture<?> future) {
        assertThat(future).isCompletedExceptionally();
        try {
            future.join();
            throw new AssertionError();
        } catch (CompletionException failed) {
            return failed.getCause();
        }
    }

    // The plain way.

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
    void twoGrantsOfOneClientExcludeEachOther() {
        LockGrant first = grant();
        CompletableFuture<LockGrant> second = lock.acquireAsync();
        loop.advance(Duration.ofSeconds(30));
        assertThat(second).isNotDone();
        first.releaseAsync();
        loop.advance(Duration.ofMillis(4));
        assertThat(second.join().token()).isGreaterThan(first.token());
    }

    @Test
    void aSecondReleaseDoesNothing() {
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
        assertThat(future.join()).isEmpty();
        assertThat(cluster.waiters("k")).isZero();
    }

    // Lost, doubled and reordered messages.

    @Test
    void aLostAnswerIsAskedForAgainUnderTheSameNumber() {
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
    void aLostReleaseAnswerIsAskedForAgainAndHurtsNobody() {
        LockGrant grant = grant();
        cluster.responseArrives = (response, push) -> response.kind() != Response.Kind.RELEASED;
        CompletableFuture<Void> released = grant.releaseAsync();
        loop.advance(ROUND_TRIP);
        cluster.strangerLocks("k");
        cluster.responseArrives = (response, push) -> true;
        cluster.cutConnections();
        loop.advance(Duration.ofSeconds(1));
        assertThat(released).isCompleted();
        assertThat(cluster.isHeld("k")).isTrue();
        assertThat(cluster.count(Request.Release.class)).isEqualTo(2);
    }

    @Test
    void aGrantMayBePushedBeforeTheAnswerAndAgainAfterIt() {
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
    void aLostPushIsMadeUpForByAKeepAlive() {
        cluster.strangerLocks("k");
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        loop.advance(Duration.ofSeconds(1));
        cluster.responseArrives = (response, push) -> !push;
        cluster.strangerUnlocks("k");
        loop.advance(Duration.ofSeconds(1).plus(TTL.dividedBy(6)));
        assertThat(future.join().isHeld()).isTrue();
    }

    @Test
    void aPushThatIsLostWithItsConnectionIsMadeUpForAtOnce() {
        cluster.strangerLocks("k");
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        loop.advance(Duration.ofSeconds(1));
        cluster.responseArrives = (response, push) -> !push;
        cluster.strangerUnlocks("k");
        cluster.cutConnections();
        loop.advance(Duration.ofMillis(300));
        assertThat(future.join().isHeld()).isTrue();
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
        assertThat(future.join().isHeld()).isTrue();
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
        assertThat(future.join().isHeld()).isTrue();
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

    // Timeouts, cancels.

    @Test
    void aTimedOutWaitIsTakenBackAndReportedOnTime() {
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
    void aGrantThatComesAfterTheTimeoutIsGivenBack() {
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
    void aGrantThatComesBeforeTheTimeoutCounts() {
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
    void aCancelIsRetriedUntilItIsAcknowledged() {
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
    void aCancelThatOvertakesItsAcquireWins() {
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
    void aCallThatIsCancelledBeforeItIsSentIsNeverSent() {
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
    void aFutureThatTheUserTimesOutGivesTheLockBack() {
        cluster.strangerLocks("k");
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        loop.advance(Duration.ofMillis(200));
        future.completeExceptionally(new IllegalStateException("the user's own reason"));
        loop.advance(Duration.ofMillis(10));
        assertThat(cluster.waiters("k")).isZero();
    }

    // The lease, by the client's clock.

    @Test
    void aCutOffClientTurnsSuspectAndLosesItsLocksByItsClockBeforeTheClusterFreesThem() {
        LockGrant grant = grant();
        List<LossReason> lost = new ArrayList<>();
        grant.lost().thenAccept(lost::add);
        nodesFallSilent();
        long cut = loop.nanoTime();
        long lastSign = cluster.sessions.values().iterator().next().lastSeenNanos;
        loop.advance(Duration.ofSeconds(6));
        assertThat(client.sessionState()).isEqualTo(SessionState.SUSPECT);
        assertThat(events).hasSize(1).first().asString().startsWith("suspect");
        assertThat(grant.isHeld()).isTrue();
        Duration left = grant.remaining();
        long end = loop.nanoTime() + left.toNanos();
        assertThat(end - lastSign).isLessThan(TTL.toNanos());
        assertThat(end - lastSign).isGreaterThan(TTL.toNanos() * 98 / 100);
        loop.advance(left.minusNanos(1));
        assertThat(grant.isHeld()).isTrue();
        assertThat(lost).isEmpty();
        loop.advance(Duration.ofNanos(1));
        assertThat(grant.isHeld()).isFalse();
        assertThat(grant.remaining()).isZero();
        assertThat(cluster.isHeld("k")).isTrue();
        assertThat(lost).containsExactly(LossReason.LEASE_RAN_OUT);
        loop.advance(Duration.ofSeconds(30));
        assertThat(lost).hasSize(1);
        assertThat(events).hasSize(2).last().isEqualTo("lost LEASE_RAN_OUT");
        assertThat(loop.nanoTime() - cut).isPositive();
    }

    private void nodesFallSilent() {
        cluster.nodes.forEach(node -> node.silent = true);
    }

    private void nodesSpeakAgain() {
        cluster.nodes.forEach(node -> node.silent = false);
    }

    @Test
    void aHoldIsOverByTheClockEvenIfTheLoopStandsStill() {
        LockGrant grant = grant();
        loop.pause(TTL);
        assertThat(grant.isHeld()).isFalse();
        assertThat(client.sessionState()).isEqualTo(SessionState.LOST);
        CompletableFuture<Void> release = grant.releaseAsync();
        loop.settle();
        assertThat(failureOf(release)).isInstanceOf(LockLostException.class);
    }

    @Test
    void aConfirmationThatComesAfterTheEndDoesNotReviveTheSession() {
        LockGrant grant = grant();
        List<LossReason> lost = new ArrayList<>();
        grant.lost().thenAccept(lost::add);
        // A keep-alive is on its way when the process stops for longer than its lease.
        loop.advance(TTL.dividedBy(6).minusMillis(990));
        loop.pause(TTL);
        loop.advance(Duration.ofSeconds(1));
        assertThat(lost).hasSize(1);
        assertThat(grant.isHeld()).isFalse();
    }

    @Test
    void suspectAndRecoveredAreToldOnceEach() {
        grant();
        nodesFallSilent();
        loop.advance(Duration.ofSeconds(6));
        nodesSpeakAgain();
        loop.advance(Duration.ofSeconds(20));
        assertThat(events).hasSize(2).last().isEqualTo("recovered");
        assertThat(client.sessionState()).isEqualTo(SessionState.ACTIVE);
    }

    @Test
    void twoOfThreeKeepAlivesMayBeLostForEver() {
        LockGrant grant = grant();
        int[] count = {0};
        cluster.requestArrives =
                request -> !(request instanceof Request.KeepAlive) || ++count[0] % 3 == 0;
        loop.advance(TTL.multipliedBy(100));
        assertThat(grant.isHeld()).isTrue();
        assertThat(events).noneMatch(event -> event.startsWith("lost"));
    }

    @Test
    void aClientThatIsLeftAloneKeepsItsSessionForDays() {
        LockGrant grant = grant();
        loop.advance(Duration.ofDays(2));
        assertThat(grant.isHeld()).isTrue();
        assertThat(events).isEmpty();
        assertThat(cluster.connects.size()).isLessThan(5);
    }

    @Test
    void theLostSessionIsClosedAtTheClusterAndANewOneServesNewCalls() {
        grant();
        String first = client.sessionId().orElseThrow().toString();
        nodesFallSilent();
        loop.advance(TTL);
        assertThat(client.sessionState()).isEqualTo(SessionState.LOST);
        CompletableFuture<LockGrant> next = lock.acquireAsync();
        // A new leader gives every session its whole time again: only the close frees the lock.
        cluster.elect(1);
        nodesSpeakAgain();
        loop.advance(Duration.ofSeconds(3));
        assertThat(next.join().isHeld()).isTrue();
        assertThat(client.sessionId().orElseThrow().toString()).isNotEqualTo(first);
        assertThat(cluster.count(Request.CloseSession.class)).isPositive();
        assertThat(cluster.sessions).hasSize(1);
    }

    @Test
    void whoWaitsWhenTheSessionIsLostIsTold() {
        cluster.strangerLocks("k");
        CompletableFuture<LockGrant> waiting = lock.acquireAsync();
        loop.advance(Duration.ofSeconds(1));
        nodesFallSilent();
        loop.advance(TTL);
        assertThat(failureOf(waiting))
                .isInstanceOfSatisfying(
                        SessionExpiredException.class,
                        expired ->
                                assertThat(expired.reason()).isEqualTo(LossReason.LEASE_RAN_OUT));
    }

    @Test
    void aCallThatWasNeverSentOutlivesTheSession() {
        grant().releaseAsync();
        loop.advance(ROUND_TRIP);
        cluster.killAll();
        loop.advance(Duration.ofSeconds(1));
        CompletableFuture<LockGrant> waiting = lock.acquireAsync();
        loop.advance(TTL.multipliedBy(2));
        assertThat(waiting).isNotDone();
        cluster.restart(2);
        cluster.elect(2);
        loop.advance(Duration.ofSeconds(3));
        assertThat(waiting.join().isHeld()).isTrue();
    }

    @Test
    void aReleaseThatFindsNoClusterEndsWithTheLease() {
        LockGrant grant = grant();
        cluster.killAll();
        CompletableFuture<Void> release = grant.releaseAsync();
        loop.advance(Duration.ofSeconds(8));
        assertThat(release).isNotDone();
        loop.advance(Duration.ofSeconds(2));
        assertThat(failureOf(release)).isInstanceOf(LockLostException.class);
    }

    @Test
    void theClusterMayEndTheSession() {
        LockGrant grant = grant();
        cluster.expire(client.sessionId().orElseThrow());
        loop.advance(ROUND_TRIP);
        assertThat(grant.isHeld()).isFalse();
        assertThat(events).containsExactly("lost SESSION_EXPIRED");
        assertThat(grant().isHeld()).isTrue();
    }

    @Test
    void aClusterThatWasWipedKnowsTheSessionNoMore() {
        LockGrant grant = grant();
        cluster.wipe();
        cluster.cutConnections();
        loop.advance(Duration.ofSeconds(1));
        assertThat(grant.isHeld()).isFalse();
        assertThat(events).containsExactly("lost SESSION_EXPIRED");
    }

    // Explicit leases.

    @Test
    void aHoldEndsAtItsMaxHoldAndNotLaterThanAtTheCluster() {
        CompletableFuture<LockGrant> future =
                lock.acquireAsync(AcquireOptions.defaults().maxHold(Duration.ofSeconds(4)));
        while (!future.isDone()) {
            loop.advance(Duration.ofMillis(1));
        }
        LockGrant grant = future.join();
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
    void aPushedGrantsMaxHoldCountsFromTheGrantNotFromTheRequest() {
        cluster.strangerLocks("k");
        CompletableFuture<LockGrant> future =
                lock.acquireAsync(AcquireOptions.defaults().maxHold(Duration.ofSeconds(4)));
        loop.advance(Duration.ofSeconds(60));
        cluster.strangerUnlocks("k");
        loop.advance(ROUND_TRIP);
        LockGrant grant = future.join();
        assertThat(grant.remaining()).isBetween(Duration.ofMillis(3_900), Duration.ofMillis(3_961));
    }

    @Test
    void aTryWhoseHoldIsOverBeforeItsGrantArrivesComesBackEmpty() {
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
        assertThat(tried.join()).isEmpty();
    }

    @Test
    void anAcquireWhoseHoldIsOverBeforeItsPushIsMadeUpForIsLost() {
        cluster.strangerLocks("k");
        CompletableFuture<LockGrant> future =
                lock.acquireAsync(AcquireOptions.defaults().maxHold(Duration.ofMillis(100)));
        loop.advance(Duration.ofSeconds(1));
        cluster.responseArrives = (response, push) -> !push;
        cluster.strangerUnlocks("k");
        loop.advance(Duration.ofSeconds(3));
        assertThat(failureOf(future)).isInstanceOf(LockLostException.class);
    }

    // Finding the leader.

    @Test
    void aHintIsFollowedAtOnce() {
        cluster.elect(2);
        long start = loop.nanoTime();
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        while (!future.isDone() && loop.nanoTime() - start < TTL.toNanos()) {
            loop.advance(Duration.ofMillis(1));
        }
        assertThat(future.join().isHeld()).isTrue();
        assertThat(loop.nanoTime() - start).isLessThan(Duration.ofMillis(15).toNanos());
    }

    @Test
    void aNodeThatHearsOfALeaderTellsTheClientsThatWaitThere() {
        for (int elected = 0; elected < 3; elected++) {
            cluster.elect(-1);
            CompletableFuture<LockGrant> future = lock.acquireAsync();
            loop.advance(Duration.ofSeconds(2));
            assertThat(future).isNotDone();
            cluster.elect(elected);
            cluster.connects.clear();
            long start = loop.nanoTime();
            cluster.nodes.forEach(FakeCluster.Node::nameLeader);
            while (!future.isDone() && loop.nanoTime() - start < TTL.toNanos()) {
                loop.advance(Duration.ofMillis(1));
            }
            LockGrant grant = future.join();
            assertThat(grant.isHeld()).isTrue();
            assertThat(loop.nanoTime() - start).isLessThan(Duration.ofMillis(30).toNanos());
            assertThat(cluster.connects).hasSizeLessThanOrEqualTo(1);
            grant.releaseAsync();
            loop.advance(ROUND_TRIP);
        }
    }

    @Test
    void nodesThatNameEachOtherAreNotAskedWithoutPause() {
        cluster.elect(-1);
        cluster.nodes.get(0).hint = cluster.nodes.get(1).address.toString();
        cluster.nodes.get(1).hint = cluster.nodes.get(0).address.toString();
        cluster.nodes.get(2).hint = cluster.nodes.get(0).address.toString();
        lock.acquireAsync();
        loop.advance(Duration.ofSeconds(10));
        assertThat(cluster.connects.size()).isBetween(10, 70);
    }

    @Test
    void aNodeThatIsLearntIsUsed() {
        Address late = new Address("10.0.0.9", 9);
        FakeCluster.Node node = cluster.new Node(late);
        cluster.nodes.add(node);
        cluster.elect(3);
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        loop.advance(Duration.ofMillis(100));
        assertThat(future.join().isHeld()).isTrue();
        assertThat(cluster.connects).contains(late);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void afterALeaderKillAWaitingClientIsServedWithinThreeSeconds(long seed) {
        grant().releaseAsync();
        loop.advance(Duration.ofMillis(seed * 137));
        cluster.kill(0);
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        loop.advance(Duration.ofMillis(1_300));
        cluster.elect(1 + (int) seed % 2);
        loop.advance(Duration.ofMillis(700));
        assertThat(future).isCompleted();
    }

    @Test
    void aLeaderThatStopsAnsweringIsLeftAndItsSessionGoesOn() {
        LockGrant grant = grant();
        cluster.nodes.get(0).silent = true;
        CompletableFuture<LockGrant> other = client.lock("other").acquireAsync();
        loop.advance(Duration.ofMillis(1_300));
        cluster.elect(1);
        loop.advance(Duration.ofMillis(2_500));
        assertThat(other.join().isHeld()).isTrue();
        assertThat(grant.isHeld()).isTrue();
        assertThat(cluster.sessions).hasSize(1);
        assertThat(client.sessionState()).isEqualTo(SessionState.ACTIVE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLeaderThatLostItsMajorityUnawaresIsLeftInTime(boolean reconnect) {
        LockGrant grant = grant();
        cluster.nodes.get(0).deposed = true;
        cluster.elect(1);
        if (reconnect) {
            cluster.cutConnections();
        }
        loop.advance(TTL.multipliedBy(3));
        assertThat(grant.isHeld()).isTrue();
        assertThat(cluster.isHeld("k")).isTrue();
        assertThat(client.sessionState()).isEqualTo(SessionState.ACTIVE);
    }

    @Test
    void aLeaderThatStepsDownNamesItsSuccessor() {
        grant().releaseAsync();
        loop.advance(ROUND_TRIP);
        cluster.elect(2);
        long start = loop.nanoTime();
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        while (!future.isDone() && loop.nanoTime() - start < TTL.toNanos()) {
            loop.advance(Duration.ofMillis(1));
        }
        assertThat(future.join().isHeld()).isTrue();
        assertThat(loop.nanoTime() - start).isLessThan(Duration.ofMillis(20).toNanos());
    }

    @Test
    void connectionAttemptsBecomeRareWhileNobodyAnswers() {
        cluster.killAll();
        lock.acquireAsync();
        loop.advance(Duration.ofSeconds(10));
        int first = cluster.connects.size();
        assertThat(first).isBetween(10, 25);
        loop.advance(Duration.ofSeconds(100));
        assertThat(cluster.connects.size() - first).isBetween(100, 210);
    }

    @Test
    void shortSuccessesDoNotResetThePauses() {
        grant();
        cluster.connects.clear();
        for (int at = 0; at < 100; at++) {
            cluster.cutConnections();
            loop.advance(Duration.ofMillis(100));
        }
        assertThat(cluster.connects.size()).isLessThan(30);
    }

    @Test
    void aTryWhileTheClusterIsDownEndsInTime() {
        cluster.killAll();
        CompletableFuture<Optional<LockGrant>> timed = lock.tryAcquireAsync(Duration.ofMillis(500));
        CompletableFuture<Optional<LockGrant>> once = lock.tryAcquireAsync(Duration.ZERO);
        loop.advance(Duration.ofMillis(500));
        assertThat(timed.join()).isEmpty();
        assertThat(once).isNotDone();
        loop.advance(Duration.ofMillis(4_500));
        assertThat(failureOf(once))
                .isInstanceOf(ClusterUnavailableException.class)
                .hasMessageContaining("10.0.0.1:1 (refused)")
                .hasMessageContaining("10.0.0.3:3 (refused)");
        assertThat(cluster.count(Request.Acquire.class)).isZero();
    }

    // The user's code.

    @Test
    void aCallbackThatThrowsHurtsNobody() {
        List<LossReason> seen = new ArrayList<>();
        client.addSessionListener(
                new SessionListener() {
                    @Override
                    public void onLost(LossReason reason) {
                        throw new IllegalStateException("thrown by a test");
                    }
                });
        client.addSessionListener(
                new SessionListener() {
                    @Override
                    public void onLost(LossReason reason) {
                        seen.add(reason);
                    }
                });
        cluster.strangerLocks("x");
        client.lock("x")
                .acquireAsync(
                        AcquireOptions.defaults()
                                .onProgress(
                                        place -> {
                                            throw new IllegalStateException("thrown by a test");
                                        }));
        grant();
        cluster.expire(client.sessionId().orElseThrow());
        loop.advance(ROUND_TRIP);
        assertThat(seen).containsExactly(LossReason.SESSION_EXPIRED);
        assertThat(grant().isHeld()).isTrue();
    }

    // Many.

    @Test
    void manyWaitersAreAskedAfterInTurn() {
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
    void namesAreCheckedBeforeAnythingIsSent() {
        assertThatThrownBy(() -> client.lock("a\nb"))
                .isInstanceOfSatisfying(
                        LockRefusedException.class,
                        refused -> assertThat(refused.code()).isEqualTo(RefusalCode.INVALID_NAME));
    }
}
