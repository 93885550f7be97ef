package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.protocol.Request;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** No node answers: every call ends in its time all the same. */
class NoClusterTest extends SimulatedClient {

    @Test
    void aTryWhileTheClusterIsDownEndsInTime() { // E20
        cluster.killAll();
        CompletableFuture<Optional<LockGrant>> timed = lock.tryAcquireAsync(Duration.ofMillis(500));
        CompletableFuture<Optional<LockGrant>> once = lock.tryAcquireAsync(Duration.ZERO);
        loop.advance(Duration.ofMillis(500));
        assertThat(valueOf(timed)).isEmpty();
        assertThat(once).isNotDone();
        loop.advance(Duration.ofMillis(4_500));
        assertThat(failureOf(once))
                .isInstanceOf(ClusterUnavailableException.class)
                .hasMessageContaining("10.0.0.1:1 (refused)")
                .hasMessageContaining("10.0.0.3:3 (refused)");
        assertThat(cluster.count(Request.Acquire.class)).isZero();
    }

    @Test
    void aTimedTryOfAThreadEndsInItsTimeWithNothing() throws Exception { // E20
        cluster.killAll();
        try (Caller thread = new Caller(loop)) {
            assertEndsAfter(
                    Duration.ofMillis(500),
                    thread,
                    () -> lock.tryLock(500, TimeUnit.MILLISECONDS),
                    false);
            assertEndsAfter(
                    Duration.ofMillis(500),
                    thread,
                    () -> lock.tryAcquire(Duration.ofMillis(500)),
                    Optional.empty());
        }
        assertThat(cluster.count(Request.Acquire.class)).isZero();
    }

    private <T> void assertEndsAfter(Duration time, Caller thread, Callable<T> call, T result)
            throws Exception {
        FutureTask<T> running = startedAndHeldUp(time, thread, call);
        assertThat(thread.finishNow(running)).isEqualTo(result);
    }

    private <T> FutureTask<T> startedAndHeldUp(Duration time, Caller thread, Callable<T> call)
            throws Exception {
        FutureTask<T> running = thread.start(call);
        loop.advance(time.minusNanos(1));
        thread.settle();
        assertThat(running.isDone()).isFalse();
        loop.advance(Duration.ofNanos(1));
        return running;
    }

    @Test
    void aTryThatDoesNotWaitEndsWithTheRequestTimeoutAndSaysWhy() throws Exception { // E20
        cluster.killAll();
        try (Caller thread = new Caller(loop)) {
            List<Callable<?>> tries =
                    List.of(
                            () -> lock.tryLock(),
                            () -> lock.tryLock(0, TimeUnit.SECONDS),
                            () -> lock.tryLock(-1, TimeUnit.SECONDS),
                            () -> lock.tryAcquire(Duration.ZERO));
            for (Callable<?> each : tries) {
                FutureTask<?> call = startedAndHeldUp(Duration.ofSeconds(5), thread, each);
                assertThatThrownBy(() -> thread.finishNow(call))
                        .hasCauseInstanceOf(ClusterUnavailableException.class);
            }
        }
    }

    @Test
    void whatWaitsForTheClusterEndsWhenTheClientIsClosed() throws Exception { // E20
        cluster.killAll();
        List<Callable<?>> waits =
                List.of(
                        Executors.callable(lock::lock),
                        () -> {
                            lock.lockInterruptibly();
                            return null;
                        },
                        () -> lock.acquire(),
                        () -> lock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS));
        List<Caller> threads = new ArrayList<>();
        List<FutureTask<?>> calls = new ArrayList<>();
        for (Callable<?> each : waits) {
            Caller thread = new Caller(loop);
            threads.add(thread);
            calls.add(thread.start(each));
        }
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        loop.advance(TTL.multipliedBy(10));
        assertThat(calls).noneMatch(FutureTask::isDone);
        close(client);
        for (int at = 0; at < calls.size(); at++) {
            threads.get(at).settle();
            assertThat(calls.get(at).isDone()).isTrue();
            assertThatThrownBy(calls.get(at)::get)
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
            threads.get(at).close();
        }
        assertThat(failureOf(future)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aHolderThatLosesTheClusterIsReleasedFromEveryCallWithinItsLease() { // E20
        LockGrant grant = grant();
        LockGrant released = grant(client.lock("other"));
        CompletableFuture<LockGrant> waits = lock.acquireAsync();
        loop.advance(ROUND_TRIP);
        cluster.killAll();
        CompletableFuture<Void> release = released.releaseAsync();
        loop.advance(TTL);
        assertThat(failureOf(release)).isInstanceOf(LockLostException.class);
        assertThat(failureOf(waits)).isInstanceOf(SessionExpiredException.class);
        assertThat(grant.lost().toCompletableFuture())
                .isCompletedWithValue(LossReason.LEASE_RAN_OUT);
    }
}
