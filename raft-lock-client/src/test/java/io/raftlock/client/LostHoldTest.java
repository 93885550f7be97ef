package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.Request;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

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
        assertThat(next.join().isHeld()).isTrue();
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
}
