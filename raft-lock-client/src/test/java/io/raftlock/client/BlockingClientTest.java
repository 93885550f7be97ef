package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * Calls that wait, by threads: these need real threads and real time. How long they take is tested
 * under the virtual clock; here it is bounded loosely, for machines that are busy.
 */
class BlockingClientTest extends ThreadedClient {

    // Times.

    @Test
    void aTimedTryComesBackOnTimeAndLeavesNoWaiter() throws Exception { // H2
        onLoop(() -> cluster.strangerLocks("k"));
        long start = System.nanoTime();
        assertThat(lock.tryLock(100, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(System.nanoTime() - start)
                .isBetween(Duration.ofMillis(100).toNanos(), Duration.ofSeconds(3).toNanos());
        awaitOnLoop(() -> cluster.waiters("k") == 0);
    }

    @Test
    void aThreadMayTryAgainAtOnceAfterATimeout() throws Exception { // H2
        onLoop(() -> cluster.strangerLocks("k"));
        for (int at = 0; at < 50; at++) {
            assertThat(lock.tryLock(3, TimeUnit.MILLISECONDS)).isFalse();
        }
        onLoop(() -> cluster.strangerUnlocks("k"));
        lock.lock();
        lock.unlock();
        awaitOnLoop(() -> cluster.waiters("k") == 0 && !cluster.isHeld("k"));
    }

    @Test
    void oddTimesDoWhatTheySay() throws Exception { // E31
        for (TimeUnit unit : TimeUnit.values()) {
            assertThat(lock.tryLock(Long.MAX_VALUE, unit)).isTrue();
            lock.unlock();
            assertThat(lock.tryLock(Long.MIN_VALUE, unit)).isTrue();
            lock.unlock();
            assertThat(lock.tryLock(-1, unit)).isTrue();
            lock.unlock();
        }
        Duration longest = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
        assertThat(lock.tryAcquire(longest).orElseThrow().isHeld()).isTrue();
        assertThat(lock.tryAcquire(Duration.ofSeconds(Long.MIN_VALUE))).isEmpty();
        assertThat(lock.tryAcquire(Duration.ofNanos(1))).isEmpty();
    }

    // No cluster.

    @Test
    void allNodesDownATimedTryEndsInTimeAndLockHonoursClose() throws Exception { // E20
        onLoop(cluster::killAll);
        long start = System.nanoTime();
        assertThat(lock.tryLock(500, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(System.nanoTime() - start)
                .isBetween(Duration.ofMillis(500).toNanos(), Duration.ofSeconds(3).toNanos());
        FutureTask<Boolean> waiting =
                inThread(
                        () -> {
                            lock.lock();
                            return true;
                        });
        awaitOnLoop(() -> cluster.connects.size() > 10);
        assertThat(waiting.isDone()).isFalse();
        client.close();
        assertThat(failureOf(waiting))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    // Closing.

    @Test
    void closeReleasesAllAndFailsWhoWaits() throws Exception {
        LockGrant grant = lock.acquire();
        CompletableFuture<LossReason> lost = grant.lost().toCompletableFuture();
        CompletableFuture<LockGrant> async = lock.acquireAsync();
        FutureTask<Boolean> waiting = inThread(() -> lock.tryLock(1, TimeUnit.DAYS));
        awaitOnLoop(() -> cluster.waiters("k") == 2);
        long start = System.nanoTime();
        client.close();
        client.close();
        assertThat(System.nanoTime() - start).isLessThan(Duration.ofSeconds(1).toNanos());
        assertThat(cluster.isHeld("k")).isFalse();
        assertThat(failureOf(waiting)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(async::get).hasCauseInstanceOf(IllegalStateException.class);
        assertThat(lost.get()).isEqualTo(LossReason.CLIENT_CLOSED);
        assertThat(grant.isHeld()).isFalse();
        assertThatThrownBy(grant::release).isInstanceOf(LockLostException.class);
        assertThatCode(grant::close).doesNotThrowAnyException();
        assertThatThrownBy(lock::lock).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> lock.acquireAsync().get())
                .hasCauseInstanceOf(IllegalStateException.class);
        assertThat(client.sessionState()).isEqualTo(SessionState.CLOSED);
    }

    @Test
    void closeWithoutAClusterTakesTwoSeconds() throws Exception { // E20
        LockGrant grant = lock.acquire();
        onLoop(cluster::killAll);
        FutureTask<Throwable> release =
                inThread(
                        () -> {
                            try {
                                grant.release();
                                return new AssertionError("released by nobody");
                            } catch (OutcomeUnknownException expected) {
                                return expected;
                            }
                        });
        while (grant.isHeld()) {
            Thread.onSpinWait();
        }
        long start = System.nanoTime();
        Thread.currentThread().interrupt();
        client.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(System.nanoTime() - start).isLessThan(Duration.ofSeconds(4).toNanos());
        assertThat(release.get()).isInstanceOf(OutcomeUnknownException.class);
    }
}
