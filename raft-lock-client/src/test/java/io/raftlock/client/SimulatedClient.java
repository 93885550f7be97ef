package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.SessionId;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * What tests under a virtual clock start from: a client with a session of ten seconds, its lock
 * "k", and a cluster of which the test decides what arrives and when.
 */
@Timeout(60)
abstract class SimulatedClient {
    static final Duration TTL = Duration.ofSeconds(10);

    /** Between two keep-alives. */
    static final Duration PERIOD = TTL.dividedBy(6);

    static final Duration ROUND_TRIP = Duration.ofMillis(2);

    final SimulatedLoop loop = new SimulatedLoop();
    final FakeCluster cluster = new FakeCluster(loop, ROUND_TRIP.toNanos() / 2);

    /** What the client told of its session. */
    final List<String> events = new ArrayList<>();

    RaftLockClient client;
    DistributedLock lock;
    private RaftLockClient other;

    @BeforeEach
    void buildClient() {
        client = newClient(1);
        lock = client.lock("k");
        client.addSessionListener(new Recorder(events));
    }

    @AfterEach
    void keptTheProtocol() {
        assertThat(cluster.violations).isEmpty();
    }

    RaftLockClient newClient(long seed) {
        return build(builder(), seed);
    }

    RaftLockClient.Builder builder() {
        return RaftLockClient.builder()
                .endpoints(cluster.endpoints())
                .sessionTtl(TTL)
                .callbackExecutor(loop.callbackExecutor());
    }

    RaftLockClient build(RaftLockClient.Builder builder, long seed) {
        return builder.build(
                new RaftLockClient.Parts(loop, cluster, () -> {}, "test"), new Random(seed));
    }

    /** Closes a client as a thread of its own does, while time goes on. */
    void close(RaftLockClient closed) {
        loop.execute(closed::close);
        loop.advance(ROUND_TRIP);
    }

    record Recorder(List<String> events) implements SessionListener {
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
    }

    /** Takes the lock, which is free. */
    LockGrant grant() {
        return grant(lock);
    }

    LockGrant grant(DistributedLock free) {
        CompletableFuture<LockGrant> future = free.acquireAsync();
        loop.advance(Duration.ofSeconds(1));
        assertThat(future).isCompleted();
        return valueOf(future);
    }

    /** Opens the session, so that from now on a request is one message. */
    void openSession() {
        grant().releaseAsync();
        loop.advance(ROUND_TRIP);
    }

    SessionId session() {
        return client.sessionId().orElseThrow();
    }

    /** Nobody waits or holds, and another client gets the lock. */
    void assertFree(String why) {
        assertThat(cluster.waiters("k")).as("waiters, " + why).isZero();
        assertThat(cluster.isHeld("k")).as("held, " + why).isFalse();
        assertOtherGetsIt(why);
    }

    void assertOtherGetsIt(String why) {
        if (other == null) {
            other = newClient(2);
        }
        CompletableFuture<Optional<LockGrant>> tried =
                other.lock("k").tryAcquireAsync(Duration.ofSeconds(2));
        timeUntilDone(tried, Duration.ofSeconds(2));
        assertThat(valueOf(tried)).as("another client gets the lock, " + why).isPresent();
        valueOf(tried).orElseThrow().releaseAsync();
        loop.advance(ROUND_TRIP);
        assertThat(cluster.isHeld("k")).as("freed, " + why).isFalse();
    }

    /** Returns the time until the future is done, in steps of a tenth of a round trip. */
    Duration timeUntilDone(CompletableFuture<?> future, Duration longest) {
        long start = loop.nanoTime();
        while (!future.isDone() && loop.nanoTime() - start < longest.toNanos()) {
            loop.advance(ROUND_TRIP.dividedBy(10));
        }
        assertThat(future).isDone();
        return Duration.ofNanos(loop.nanoTime() - start);
    }

    /** Waits for nothing: time stands still meanwhile. */
    static <T> T valueOf(CompletableFuture<T> done) {
        assertThat(done).isCompleted();
        return done.join();
    }

    static Throwable failureOf(CompletableFuture<?> future) {
        assertThat(future).isCompletedExceptionally();
        try {
            future.join();
            throw new AssertionError();
        } catch (CompletionException failed) {
            return failed.getCause();
        }
    }
}
