package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.Response;
import io.raftlock.protocol.SessionId;
import io.raftlock.protocol.SessionSecret;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;

/** The session ends with what hangs on it, and nothing of it carries over. */
class LostHoldTest extends SimulatedClient {

    @Test
    void theLostSessionIsClosedAtTheClusterAndANewOneServesNewCalls() { // H11
        grant();
        String first = client.sessionId().orElseThrow().toString();
        cluster.fallSilent();
        loop.advance(TTL);
        assertThat(client.sessionState()).isEqualTo(SessionState.LOST);
        CompletableFuture<LockGrant> next = lock.acquireAsync();
        // A new leader gives every session its whole time again: only the close frees the lock.
        cluster.elect(1);
        cluster.speakAgain();
        loop.advance(Duration.ofSeconds(3));
        assertThat(valueOf(next).isHeld()).isTrue();
        assertThat(client.sessionId().orElseThrow().toString()).isNotEqualTo(first);
        assertThat(cluster.count(Request.CloseSession.class)).isPositive();
        assertThat(cluster.sessions).hasSize(1);
    }

    @Test
    void whoWaitsWhenTheSessionIsLostIsTold() { // H11
        cluster.strangerLocks("k");
        CompletableFuture<LockGrant> waiting = lock.acquireAsync();
        loop.advance(Duration.ofSeconds(1));
        cluster.fallSilent();
        loop.advance(TTL);
        assertThat(failureOf(waiting))
                .isInstanceOfSatisfying(
                        SessionExpiredException.class,
                        expired ->
                                assertThat(expired.reason()).isEqualTo(LossReason.LEASE_RAN_OUT));
    }

    @Test
    void aGrantThatArrivesAfterTheEndOfTheSessionIsNone() { // H3
        cluster.strangerLocks("k");
        CompletableFuture<LockGrant> waiting = lock.acquireAsync();
        loop.advance(Duration.ofSeconds(1));
        SessionId old = session();
        cluster.responseWaits = (response, push) -> true;
        cluster.strangerUnlocks("k");
        loop.advance(ROUND_TRIP);
        assertThat(cluster.isHeldBy(old, "k")).as("granted, and nobody knows").isTrue();
        loop.advance(TTL);
        cluster.letResponsesGo();
        loop.advance(Duration.ofSeconds(3));
        assertThat(failureOf(waiting)).isInstanceOf(SessionExpiredException.class);
        assertThat(cluster.isHeldBy(old, "k")).isFalse();
        assertFree("after the grant that came too late");
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
        assertThat(valueOf(waiting).isHeld()).isTrue();
    }

    @Test
    void theClusterMayEndTheSession() { // H11
        LockGrant grant = grant();
        cluster.expire(client.sessionId().orElseThrow());
        loop.advance(ROUND_TRIP);
        assertThat(grant.isHeld()).isFalse();
        assertThat(events).containsExactly("lost SESSION_EXPIRED");
        assertThat(grant().isHeld()).isTrue();
    }

    @Test
    void aClusterThatWasWipedKnowsTheSessionNoMore() { // H11
        LockGrant grant = grant();
        cluster.wipe();
        cluster.cutConnections();
        loop.advance(Duration.ofSeconds(1));
        assertThat(grant.isHeld()).isFalse();
        assertThat(events).containsExactly("lost SESSION_EXPIRED");
    }

    @Test
    void aThreadThatLostItsHoldsWaitsAnewAndIsToldAtEachUnlockItOwes() throws Exception { // H11
        try (Caller thread = new Caller(loop)) {
            thread.run(lock::lock);
            thread.run(lock::lock);
            FencingToken first = thread.call(lock::fencingToken);
            SessionId old = session();
            long lastSign = cluster.sessions.get(old).lastSeenNanos;
            cluster.fallSilent();
            loop.advance(ttlByTheClient().minusNanos(loop.nanoTime() - lastSign + 3_000_000));
            assertThat(thread.call(lock::holdCount)).isEqualTo(2);
            int heard = cluster.received.size();
            loop.advance(Duration.ofMillis(3));
            assertThat(thread.call(lock::isHeldByCurrentThread)).isFalse();
            assertThat(thread.call(lock::holdCount)).isZero();
            assertThat(cluster.received).as("no packet was needed").hasSize(heard);
            assertThat(cluster.isHeldBy(old, "k")).as("the cluster waits longer").isTrue();
            loop.advance(TTL);
            cluster.strangerLocks("k");
            cluster.speakAgain();
            assertLost(thread.start(Executors.callable(lock::unlock)));
            FutureTask<Object> again = thread.start(Executors.callable(lock::lock));
            loop.advance(TTL);
            assertThat(again.isDone()).as("it waits behind the other owner").isFalse();
            assertThat(cluster.waiters("k")).isEqualTo(1);
            cluster.strangerUnlocks("k");
            thread.finish(again);
            assertThat(thread.call(lock::holdCount)).isEqualTo(1);
            assertThat(thread.call(lock::fencingToken)).isGreaterThan(first);
            assertThat(cluster.isHeldBy(session(), "k")).isTrue();
            thread.run(lock::unlock);
            assertLost(thread.start(Executors.callable(lock::unlock)));
            assertThatThrownBy(() -> thread.run(lock::unlock))
                    .hasCauseExactlyInstanceOf(IllegalMonitorStateException.class);
        }
        assertFree("after all unlocks");
    }

    private static Duration ttlByTheClient() {
        return TTL.minus(TTL.dividedBy(100)).minusMillis(10);
    }

    private static void assertLost(FutureTask<?> unlock) {
        assertThat(unlock.isDone()).isTrue();
        assertThatThrownBy(unlock::get)
                .cause()
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        lost -> assertThat(lost.reason()).isEqualTo(LossReason.LEASE_RAN_OUT));
    }

    @Test
    void aLockThatIsLostWhileAThreadLocksItAgainIsNotCountedUp() throws Exception { // H11
        try (Caller thread = new Caller(loop)) {
            thread.run(lock::lock);
            loop.pause(TTL);
            // Nothing has run on the loop since: the clock alone says that it is over.
            FutureTask<Object> again = thread.start(Executors.callable(lock::lock));
            assertThat(again.isDone()).isFalse();
            thread.finish(again);
            assertThat(thread.call(lock::holdCount)).isEqualTo(1);
            assertThat(cluster.isHeldBy(session(), "k")).isTrue();
        }
    }

    @Test
    void afterAWipeTheOldSessionIsNeverOpenedAgainThoughItsIdIsInUse() { // H11
        LockGrant grant = grant();
        SessionId old = session();
        SessionSecret secret = cluster.sessions.get(old).secret;
        cluster.received.clear();
        cluster.requestWaits = Request.Attach.class::isInstance;
        cluster.wipe();
        cluster.cutConnections();
        RaftLockClient stranger = newClient(4);
        LockGrant strangers = grant(stranger.lock("k"));
        assertThat(stranger.sessionId()).as("ids start again").contains(old);
        cluster.letRequestsGo();
        loop.advance(ROUND_TRIP);
        CompletableFuture<LockGrant> next = lock.acquireAsync();
        loop.advance(TTL);
        assertThat(grant.isHeld()).isFalse();
        assertThat(events).contains("lost SESSION_EXPIRED");
        assertThat(strangers.isHeld()).isTrue();
        assertThat(cluster.isHeldBy(old, "k")).isTrue();
        assertThat(next).as("it waits for the stranger").isNotDone();
        assertThat(session()).isNotEqualTo(old);
        assertThat(cluster.received(Request.OpenSession.class))
                .isNotEmpty()
                .noneMatch(open -> open.secret().equals(secret));
        strangers.releaseAsync();
        loop.advance(ROUND_TRIP.multipliedBy(2));
        assertThat(valueOf(next).isHeld()).isTrue();
    }

    @Test
    void nothingIsAskedInASessionThatIsLost() { // H11
        LockGrant grant = grant();
        SessionId old = session();
        cluster.answersInstead =
                request ->
                        request instanceof Request.Acquire || request instanceof Request.Release
                                ? new Response.Refused(ErrorCode.BUSY, "later")
                                : null;
        client.lock("other").acquireAsync();
        grant.releaseAsync();
        loop.advance(Duration.ofSeconds(1));
        cluster.expire(old);
        loop.advance(ROUND_TRIP);
        cluster.received.clear();
        cluster.answersInstead = request -> null;
        cluster.cutConnections();
        assertThat(grant().isHeld()).isTrue();
        loop.advance(TTL);
        assertThat(cluster.received).isNotEmpty().noneMatch(request -> isOf(request, old));
    }

    private static boolean isOf(Request request, SessionId session) {
        return request.toString().contains("session=" + session + ",");
    }
}
