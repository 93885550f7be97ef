package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.Request;
import io.raftlock.protocol.Response;
import io.raftlock.protocol.SessionId;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
    void aClientThatIsLeftAloneKeepsItsSessionForHours() {
        LockGrant grant = grant();
        loop.advance(Duration.ofHours(6));
        assertThat(grant.isHeld()).isTrue();
        assertThat(events).isEmpty();
        assertThat(cluster.connects.size()).isLessThan(5);
    }

    @ParameterizedTest
    @ValueSource(longs = {500, 1_000, 10_000, 60_000})
    void aCutOffClientIsSuspectAtAThirdAndLostJustBeforeTheEndByItsClock(long ttlMillis) { // E26
        Duration ttl = Duration.ofMillis(ttlMillis);
        RaftLockClient cut = build(builder().sessionTtl(ttl), 5);
        Map<String, Long> when = new TreeMap<>();
        cut.addSessionListener(noting(when));
        LockGrant grant = grant(cut.lock("k"));
        SessionId session = cut.sessionId().orElseThrow();
        // The last frame that the cluster confirms is sent at a time of our choice.
        loop.advance(ttl.multipliedBy(3).dividedBy(7));
        cut.lock("last word").tryAcquireAsync(ttl);
        long sent = loop.nanoTime();
        loop.advance(ROUND_TRIP);
        cluster.fallSilent();
        Duration margin = ttl.dividedBy(100).plusMillis(10);
        while (grant.isHeld() && loop.nanoTime() - sent < ttl.toNanos()) {
            loop.advance(Duration.ofMillis(1));
        }
        loop.advance(Duration.ofMillis(1));
        assertThat(cluster.isHeldBy(session, "k")).as("the cluster waits longer").isTrue();
        assertThat(when).containsOnlyKeys("suspect", "lost");
        assertNear(when.get("suspect") - sent, ttl.dividedBy(3));
        assertNear(when.get("lost") - sent, ttl.minus(margin));
        loop.advance(ttl);
        assertThat(cluster.isHeld("k")).isFalse();
    }

    private SessionListener noting(Map<String, Long> when) {
        return new SessionListener() {
            @Override
            public void onSuspect(Duration left) {
                when.put("suspect", loop.nanoTime());
            }

            @Override
            public void onLost(LossReason reason) {
                when.put("lost", loop.nanoTime());
            }
        };
    }

    private static void assertNear(long nanos, Duration expected) {
        assertThat(Duration.ofNanos(nanos)).isCloseTo(expected, Duration.ofMillis(50));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void keepAlivesMayBeLostForEverIfOneOfThreeArrives(int lostOfThree) { // E27
        LockGrant grant = grant();
        int[] count = {0};
        cluster.requestArrives =
                request -> !(request instanceof Request.KeepAlive) || ++count[0] % 3 >= lostOfThree;
        loop.advance(TTL.multipliedBy(100));
        assertThat(count[0]).isGreaterThan(500);
        assertThat(grant.isHeld()).isTrue();
        assertThat(cluster.isHeldBy(session(), "k")).isTrue();
        assertThat(events).noneMatch(event -> event.startsWith("lost"));
    }

    @Test
    void afterALostAnswerTheNextKeepAliveCounts() { // E27
        LockGrant grant = grant();
        int[] lost = {0};
        cluster.responseArrives =
                (response, push) -> response.kind() != Response.Kind.KEPT_ALIVE || ++lost[0] != 2;
        loop.advance(PERIOD.multipliedBy(4));
        assertThat(lost[0]).isGreaterThan(2);
        assertThat(grant.remaining()).isGreaterThan(TTL.minus(PERIOD).minusMillis(200));
        assertThat(events).noneMatch(event -> event.startsWith("lost"));
    }

    @Test
    void withoutAnyKeepAliveEachHoldIsLostOnceWithItsReason() { // E27
        List<String> lost = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            LockGrant grant = grant(client.lock(name));
            grant.lost().thenAccept(reason -> lost.add(name + " " + reason));
        }
        cluster.requestArrives = request -> !(request instanceof Request.KeepAlive);
        loop.advance(TTL.multipliedBy(5));
        assertThat(lost)
                .containsExactlyInAnyOrder("a LEASE_RAN_OUT", "b LEASE_RAN_OUT", "c LEASE_RAN_OUT");
        assertThat(events).filteredOn(event -> event.startsWith("lost")).hasSize(1);
    }

    @Test
    void keepAlivesOfFiveHundredHoldsDoNotWaitForTheUsersCode() { // E48
        boolean[] blocked = {false};
        List<Runnable> stuck = new ArrayList<>();
        RaftLockClient busy =
                build(
                        builder()
                                .callbackExecutor(
                                        task -> {
                                            if (blocked[0]) {
                                                stuck.add(task);
                                            } else {
                                                loop.callbackExecutor().execute(task);
                                            }
                                        }),
                        6);
        List<LockGrant> grants = new ArrayList<>();
        for (int at = 0; at < 500; at++) {
            busy.lock("held/" + at).acquireAsync().thenAccept(grants::add);
        }
        loop.advance(Duration.ofSeconds(1));
        assertThat(grants).hasSize(500);
        blocked[0] = true;
        busy.lock("one more").acquireAsync();
        long[] last = {loop.nanoTime(), 0};
        cluster.requestArrives = request -> notedGap(request, last);
        loop.advance(TTL.multipliedBy(10));
        assertThat(stuck).isNotEmpty();
        assertThat(grants).allMatch(LockGrant::isHeld);
        assertThat(Duration.ofNanos(last[1])).isLessThanOrEqualTo(PERIOD.plus(ROUND_TRIP));
    }

    private boolean notedGap(Request request, long[] lastAndLongest) {
        if (request instanceof Request.KeepAlive) {
            long now = loop.nanoTime();
            lastAndLongest[1] = Math.max(lastAndLongest[1], now - lastAndLongest[0]);
            lastAndLongest[0] = now;
        }
        return true;
    }
}
