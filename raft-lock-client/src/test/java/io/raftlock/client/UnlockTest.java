package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.protocol.Request;
import io.raftlock.protocol.Response;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;

/** A release takes effect once, on the hold that it is meant for, whatever is lost on the way. */
class UnlockTest extends SimulatedClient {

    @Test
    void aLostReleaseAnswerIsAskedForAgainAndHurtsNobody() { // H9
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
    void aReleaseThatFindsNoClusterEndsWithTheLease() { // E20
        LockGrant grant = grant();
        cluster.killAll();
        CompletableFuture<Void> release = grant.releaseAsync();
        loop.advance(Duration.ofSeconds(8));
        assertThat(release).isNotDone();
        loop.advance(Duration.ofSeconds(2));
        assertThat(failureOf(release)).isInstanceOf(LockLostException.class);
    }

    @Test
    void aReleaseWhoseAnswersAreLostIsAskedForUntilThereIsOneAndHurtsNobody() { // H9
        LockGrant grant = grant();
        int[] lost = {0};
        cluster.responseArrives =
                (response, push) -> {
                    boolean arrives = response.kind() != Response.Kind.RELEASED || ++lost[0] > 3;
                    if (!arrives) {
                        cluster.cutConnections();
                    }
                    return arrives;
                };
        CompletableFuture<Void> released = grant.releaseAsync();
        loop.advance(ROUND_TRIP);
        cluster.strangerLocks("k");
        loop.advance(TTL.dividedBy(2));
        assertThat(released).isCompleted();
        assertReleasedUnderOneNumber(4);
        assertThat(cluster.isHeld("k")).as("by the stranger").isTrue();
        cluster.strangerUnlocks("k");
        assertFree("after the stranger");
    }

    @Test
    void aReleaseWhoseAnswersAreLostOnConnectionsThatLastIsAskedForAgain() { // H8, H9
        LockGrant grant = grant();
        int[] lost = {0};
        cluster.responseArrives =
                (response, push) -> response.kind() != Response.Kind.RELEASED || ++lost[0] > 3;
        CompletableFuture<Void> released = grant.releaseAsync();
        loop.advance(ROUND_TRIP);
        cluster.strangerLocks("k");
        for (int at = 0; at < 100 && !released.isDone(); at++) {
            // Other answers arrive all the time: the node is alive.
            lock.tryAcquireAsync(Duration.ZERO);
            loop.advance(Duration.ofSeconds(1));
        }
        assertThat(cluster.connects).hasSizeLessThan(4);
        assertThat(released).isCompleted();
        assertReleasedUnderOneNumber(4);
        assertThat(cluster.isHeld("k")).as("by the stranger").isTrue();
        assertThat(events).noneMatch(event -> event.startsWith("lost"));
    }

    private void assertReleasedUnderOneNumber(int times) {
        List<Request.Release> releases = cluster.received(Request.Release.class);
        assertThat(releases).hasSize(times);
        assertThat(releases.stream().map(Request.Release::number).distinct()).hasSize(1);
        assertThat(releases.stream().map(Request.Release::token).distinct()).hasSize(1);
    }

    @Test
    void afterAConnectionIsCutDuringUnlockTheThreadLocksAtOnce() throws Exception { // H9
        try (Caller thread = new Caller(loop)) {
            thread.run(lock::lock);
            FencingToken first = thread.call(lock::fencingToken);
            cluster.requestWaits = Request.Release.class::isInstance;
            FutureTask<Object> unlock = thread.start(Executors.callable(lock::unlock));
            loop.advance(ROUND_TRIP);
            cluster.cutConnections();
            // The late copy arrives on the connection that is gone, after the retry.
            cluster.requestWaits = request -> false;
            thread.finish(unlock);
            long start = loop.nanoTime();
            thread.run(lock::lock);
            assertThat(Duration.ofNanos(loop.nanoTime() - start))
                    .isLessThanOrEqualTo(ROUND_TRIP.multipliedBy(2));
            cluster.letRequestsGo();
            loop.advance(TTL);
            assertThat(thread.call(lock::isHeldByCurrentThread)).isTrue();
            assertThat(thread.call(lock::fencingToken)).isGreaterThan(first);
            assertThat(cluster.isHeldBy(session(), "k")).isTrue();
            thread.run(lock::unlock);
        }
        assertFree("after both");
    }

    @Test
    void anInnerUnlockAsksForNothing() throws Exception { // H9
        try (Caller thread = new Caller(loop)) {
            thread.run(lock::lock);
            thread.run(lock::lock);
            thread.run(lock::unlock);
            assertThat(thread.call(lock::holdCount)).isEqualTo(1);
            assertThat(cluster.count(Request.Release.class)).isZero();
            cluster.responseArrives = (response, push) -> response.kind() != Response.Kind.RELEASED;
            FutureTask<Object> last = thread.start(Executors.callable(lock::unlock));
            loop.advance(ROUND_TRIP);
            assertThat(last.isDone()).isFalse();
            assertThat(cluster.isHeld("k")).isFalse();
            cluster.responseArrives = (response, push) -> true;
            cluster.cutConnections();
            thread.finish(last);
            assertThat(thread.call(lock::holdCount)).isZero();
        }
        assertFree("after the last");
    }

    @Test
    void aGrantPushedAgainAfterItsReleaseIsNoHold() { // H9, H12
        openSession();
        cluster.strangerLocks("k");
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        loop.advance(ROUND_TRIP);
        List<Response> pushes = new ArrayList<>();
        cluster.responseArrives =
                (response, push) -> {
                    if (push) {
                        pushes.add(response);
                    }
                    return true;
                };
        cluster.strangerUnlocks("k");
        loop.advance(ROUND_TRIP);
        valueOf(future).releaseAsync();
        loop.advance(ROUND_TRIP);
        List.copyOf(pushes).forEach(push -> cluster.push(session(), push));
        loop.advance(TTL);
        assertThat(pushes).isNotEmpty();
        assertThat(cluster.count(Request.Release.class)).isEqualTo(2);
        assertFree("after the copy");
    }

    @Test
    void anUnlockThatFindsNoClusterEndsWithTheLease() throws Exception { // E20
        try (Caller thread = new Caller(loop)) {
            thread.run(lock::lock);
            long start = loop.nanoTime();
            cluster.killAll();
            FutureTask<Object> unlock = thread.start(Executors.callable(lock::unlock));
            assertThatThrownBy(() -> thread.finish(unlock))
                    .hasCauseInstanceOf(LockLostException.class);
            assertThat(Duration.ofNanos(loop.nanoTime() - start)).isLessThan(TTL);
            assertThat(thread.call(lock::isHeldByCurrentThread)).isFalse();
        }
    }

    @Test
    void aReleaseThatIsRefusedAsTheHoldIsOverSaysSo() { // H9
        LockGrant grant = grant();
        cluster.responseArrives = (response, push) -> !push;
        cluster.strangerUnlocks("k");
        cluster.strangerLocks("k");
        CompletableFuture<Void> released = grant.releaseAsync();
        loop.advance(ROUND_TRIP);
        assertThat(failureOf(released))
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        lost -> assertThat(lost.reason()).isEqualTo(LossReason.NO_LONGER_HELD));
        assertThat(cluster.isHeld("k")).as("by the stranger").isTrue();
    }
}
