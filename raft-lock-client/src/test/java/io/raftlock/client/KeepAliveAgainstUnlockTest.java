package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.Response;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** Keep-alives that are late beside locks that come and go: each hold ends when its owner says. */
class KeepAliveAgainstUnlockTest extends SimulatedClient {
    private static final int ROUNDS = 1_000;

    /** So short that three periods are less than the silence after which a node is left. */
    private static final Duration SHORT_TTL = Duration.ofMillis(900);

    private static final Duration SHORT_PERIOD = SHORT_TTL.dividedBy(6);

    private int holds;
    private int early;

    @ParameterizedTest
    @ValueSource(longs = {8, 9, 10})
    void noHoldEndsEarlyAndNoneGoesOnHoweverLateKeepAlivesAre(long seed) { // H8
        Random random = new Random(seed);
        RaftLockClient mine = build(builder().sessionTtl(SHORT_TTL), 2);
        RaftLockClient rival = build(builder().sessionTtl(SHORT_TTL), 3);
        mine.addSessionListener(new Recorder(events));
        rival.addSessionListener(new Recorder(events));
        cluster.extraNanos =
                request ->
                        request instanceof Request.KeepAlive
                                ? (long) (random.nextDouble() * 3 * SHORT_PERIOD.toNanos())
                                : 0;
        CompletableFuture<Void> mineDone = lockAndUnlock(mine.lock("k"), random, ROUNDS);
        CompletableFuture<Void> rivalDone = lockAndUnlock(rival.lock("k"), random, ROUNDS);
        for (int at = 0; at < 4 * ROUNDS && !(mineDone.isDone() && rivalDone.isDone()); at++) {
            loop.advance(SHORT_PERIOD);
        }
        assertThat(mineDone).as("seed %d", seed).isCompleted();
        assertThat(rivalDone).as("seed %d", seed).isCompleted();
        assertThat(holds).isEqualTo(2 * ROUNDS);
        assertThat(early).as("holds that ended early, seed %d", seed).isZero();
        assertThat(events).noneMatch(event -> event.startsWith("lost"));
        assertThat(cluster.isHeld("k")).isFalse();
        close(mine);
        close(rival);
        assertNothingIsSent();
        assertThat(cluster.sessions).isEmpty();
    }

    private CompletableFuture<Void> lockAndUnlock(DistributedLock contended, Random random, int n) {
        if (n == 0) {
            return CompletableFuture.completedFuture(null);
        }
        return contended
                .acquireAsync()
                .thenCompose(grant -> releasedAfter(grant, random))
                .thenCompose(released -> lockAndUnlock(contended, random, n - 1));
    }

    private CompletableFuture<Void> releasedAfter(LockGrant grant, Random random) {
        CompletableFuture<Void> released = new CompletableFuture<>();
        long pause = (long) (random.nextDouble() * 2 * SHORT_PERIOD.toNanos());
        loop.schedule(
                () -> {
                    holds++;
                    early += grant.isHeld() ? 0 : 1;
                    grant.releaseAsync().thenRun(() -> released.complete(null));
                },
                pause);
        return released;
    }

    private void assertNothingIsSent() {
        int sent = cluster.sent;
        int connects = cluster.connects.size();
        loop.advance(PERIOD.multipliedBy(5));
        assertThat(cluster.sent).isEqualTo(sent);
        assertThat(cluster.connects).hasSize(connects);
    }

    @Test
    void anInnerUnlockKeepsTheHoldTheLastOneEndsItAndTheNextIsKeptAgain() throws Exception { // H8
        try (Caller thread = new Caller(loop)) {
            for (int time = 0; time < 3; time++) {
                thread.run(lock::lock);
                thread.run(lock::lock);
                thread.run(lock::unlock);
                loop.advance(TTL.multipliedBy(3));
                assertThat(thread.call(lock::isHeldByCurrentThread)).isTrue();
                assertThat(cluster.isHeldBy(session(), "k")).isTrue();
                thread.run(lock::unlock);
                assertThat(thread.call(lock::isHeldByCurrentThread)).isFalse();
                assertThat(cluster.isHeld("k")).isFalse();
            }
        }
    }

    @Test
    void aLateAnswerToAKeepAliveThatAskedForAnOldWaitChangesNothing() { // H8
        openSession();
        cluster.strangerLocks("k");
        CompletableFuture<LockGrant> first = lock.acquireAsync();
        loop.advance(ROUND_TRIP);
        cluster.responseWaits = (response, push) -> response.kind() == Response.Kind.KEPT_ALIVE;
        cluster.strangerUnlocks("k");
        loop.advance(PERIOD);
        // The answers that wait say that the first acquire holds the lock.
        valueOf(first).releaseAsync();
        loop.advance(ROUND_TRIP);
        LockGrant second = grant();
        cluster.letResponsesGo();
        loop.advance(TTL);
        assertThat(second.isHeld()).isTrue();
        assertThat(cluster.isHeldBy(session(), "k")).isTrue();
        second.releaseAsync();
        loop.advance(ROUND_TRIP);
        assertFree("after the second");
    }

    @Test
    void aHoldWhoseReleaseIsUnderWayIsNotHeldHoweverLongKeepAlivesSucceed() { // H8
        LockGrant grant = grant();
        cluster.requestWaits = Request.Release.class::isInstance;
        CompletableFuture<Void> released = grant.releaseAsync();
        loop.advance(TTL.multipliedBy(3));
        assertThat(grant.isHeld()).isFalse();
        assertThat(grant.remaining()).isZero();
        assertThat(released).isNotDone();
        cluster.letRequestsGo();
        loop.advance(ROUND_TRIP);
        assertThat(released).isCompleted();
        assertFree("after the release");
    }

    @Test
    void aClientThatIsClosedWithCallsUnderWaySendsNothingMore() { // H8
        LockGrant grant = grant();
        lock.acquireAsync();
        cluster.answersInstead =
                request ->
                        request instanceof Request.Acquire
                                ? new Response.Refused(ErrorCode.BUSY, "later")
                                : null;
        client.lock("busy").acquireAsync();
        loop.advance(ROUND_TRIP);
        close(client);
        assertThat(grant.isHeld()).isFalse();
        assertNothingIsSent();
        assertThat(cluster.sessions).isEmpty();
    }
}
