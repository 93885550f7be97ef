package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Finding the leader, and finding it again. */
class LeaderSearchTest extends SimulatedClient {

    @Test
    void aHintIsFollowedAtOnce() {
        cluster.elect(2);
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        assertThat(timeUntilDone(future, TTL)).isLessThan(Duration.ofMillis(15));
        assertThat(valueOf(future).isHeld()).isTrue();
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
            cluster.nodes.forEach(FakeCluster.Node::nameLeader);
            assertThat(timeUntilDone(future, TTL)).isLessThan(Duration.ofMillis(30));
            LockGrant grant = valueOf(future);
            assertThat(grant.isHeld()).isTrue();
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
        assertThat(valueOf(future).isHeld()).isTrue();
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
        assertThat(valueOf(other).isHeld()).isTrue();
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
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        assertThat(timeUntilDone(future, TTL)).isLessThan(Duration.ofMillis(20));
        assertThat(valueOf(future).isHeld()).isTrue();
    }

    @Test
    void aLeaderThatHandsOverIsGivenTimeToNameItsSuccessor() {
        cluster.nodes.get(1).hint = "";
        cluster.nodes.get(2).hint = "";
        grant().releaseAsync();
        loop.advance(ROUND_TRIP);
        cluster.elect(-1);
        cluster.connects.clear();
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        loop.advance(Duration.ofMillis(140));
        assertThat(cluster.connects).isEmpty();
        cluster.elect(2);
        cluster.nodes.get(0).nameLeader();
        assertThat(timeUntilDone(future, TTL)).isLessThan(Duration.ofMillis(15));
        assertThat(cluster.connects).containsExactly(cluster.nodes.get(2).address);
    }

    @Test
    void aNodeThatIsNamedBeforeItLeadsIsGivenTimeToBegin() {
        grant().releaseAsync();
        loop.advance(ROUND_TRIP);
        cluster.elect(-1);
        cluster.connects.clear();
        cluster.nodes.get(0).hint = cluster.nodes.get(2).address.toString();
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        loop.advance(Duration.ofMillis(140));
        cluster.elect(2);
        cluster.nodes.get(2).nameLeader();
        assertThat(timeUntilDone(future, TTL)).isLessThan(Duration.ofMillis(10));
        assertThat(cluster.connects).containsExactly(cluster.nodes.get(2).address);
    }

    @Test
    void aLeaderThatLostItsPlaceAndHearsNothingIsLeftSoon() {
        grant().releaseAsync();
        loop.advance(ROUND_TRIP);
        cluster.elect(-1);
        cluster.connects.clear();
        lock.acquireAsync();
        loop.advance(Duration.ofMillis(170));
        assertThat(cluster.connects).hasSize(1);
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
}
