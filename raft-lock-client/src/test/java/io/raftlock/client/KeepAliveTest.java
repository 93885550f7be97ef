package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.Request;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The lease of the session, by the client's clock. */
class KeepAliveTest extends SimulatedClient {

    @Test
    void aCutOffClientTurnsSuspectAndLosesItsLocksByItsClockBeforeTheClusterFreesThem() { // E26
        LockGrant grant = grant();
        List<LossReason> lost = new ArrayList<>();
        grant.lost().thenAccept(lost::add);
        cluster.fallSilent();
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

    @Test
    void aHoldIsOverByTheClockEvenIfTheLoopStandsStill() { // E26, H11
        LockGrant grant = grant();
        loop.pause(TTL);
        assertThat(grant.isHeld()).isFalse();
        assertThat(client.sessionState()).isEqualTo(SessionState.LOST);
        CompletableFuture<Void> release = grant.releaseAsync();
        loop.settle();
        assertThat(failureOf(release)).isInstanceOf(LockLostException.class);
    }

    @Test
    void aConfirmationThatComesAfterTheEndDoesNotReviveTheSession() { // E26
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
        cluster.fallSilent();
        loop.advance(Duration.ofSeconds(6));
        cluster.speakAgain();
        loop.advance(Duration.ofSeconds(20));
        assertThat(events).hasSize(2).last().isEqualTo("recovered");
        assertThat(client.sessionState()).isEqualTo(SessionState.ACTIVE);
    }

    @Test
    void twoOfThreeKeepAlivesMayBeLostForEver() { // E27
        LockGrant grant = grant();
        int[] count = {0};
        cluster.requestArrives =
                request -> !(request instanceof Request.KeepAlive) || ++count[0] % 3 == 0;
        loop.advance(TTL.multipliedBy(100));
        assertThat(grant.isHeld()).isTrue();
        assertThat(events).noneMatch(event -> event.startsWith("lost"));
    }

    @Test
    void aClientThatIsLeftAloneKeepsItsSessionForHours() {
        LockGrant grant = grant();
        loop.advance(Duration.ofHours(6));
        assertThat(grant.isHeld()).isTrue();
        assertThat(events).isEmpty();
        assertThat(cluster.connects.size()).isLessThan(5);
    }
}
