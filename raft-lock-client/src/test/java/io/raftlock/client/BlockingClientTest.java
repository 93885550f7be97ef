package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.protocol.Request;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Calls that wait, by threads: these need real threads and real time. */
@Timeout(30)
class BlockingClientTest {
    private final NettyLoop loop = new NettyLoop("test-loop");
    private FakeCluster cluster;
    private RaftLockClient client;
    private DistributedLock lock;

    @BeforeEach
    void build() throws Exception {
        cluster = onLoop(() -> new FakeCluster(loop, 0));
        client =
                RaftLockClient.builder()
                        .endpoints(cluster.endpoints())
                        .build(
                                new RaftLockClient.Parts(loop, cluster, () -> {}, "test"),
                                new Random(1));
        lock = client.lock("k");
    }

    @AfterEach
    void keptTheProtocol() throws Exception {
        client.close();
        // Its thread has ended with the client, and what it did happened before.
        assertThat(cluster.violations).isEmpty();
    }

    private <T> T onLoop(Callable<T> task) throws Exception {
        FutureTask<T> future = new FutureTask<>(task);
        loop.execute(future);
        return future.get();
    }

    private void onLoop(Runnable task) throws Exception {
        onLoop(
                () -> {
                    task.run();
                    return null;
                });
    }

    private void awaitOnLoop(Callable<Boolean> condition) throws Exception {
        while (!onLoop(condition)) {
            LockSupport.parkNanos(200_000);
        }
    }

    private static <T> FutureTask<T> inThread(Callable<T> task) {
        FutureTask<T> future = new FutureTask<>(task);
        Thread thread = new Thread(future);
        thread.setDaemon(true);
        thread.start();
        return future;
    }

    private static Throwable failureOf(FutureTask<?> future) throws InterruptedException {
        try {
            future.get();
            throw new AssertionError("no failure");
        } catch (ExecutionException failed) {
            return failed.getCause();
        }
    }

    // Threads as owners.

    @Test
    void aThreadMayLockAgainAndTheLastUnlockFrees() throws Exception {
        lock.lock();
        FencingToken token = lock.fencingToken();
        assertThat(client.lock("k").tryLock()).isTrue();
        lock.lockInterruptibly();
        assertThat(lock.tryLock(0, TimeUnit.SECONDS)).isTrue();
        assertThat(lock.holdCount()).isEqualTo(4);
        assertThat(client.lock("k").fencingToken()).isEqualTo(token);
        for (int left = 3; left >= 0; left--) {
            assertThat(onLoop(() -> cluster.isHeld("k"))).isTrue();
            lock.unlock();
            assertThat(lock.holdCount()).isEqualTo(left);
        }
        assertThat(onLoop(() -> cluster.isHeld("k"))).isFalse();
        assertThat(onLoop(() -> cluster.count(Request.Acquire.class))).isEqualTo(1);
    }

    @Test
    void aStrangerCannotUnlock() throws Exception {
        lock.lock();
        FutureTask<Boolean> stranger =
                inThread(
                        () -> {
                            assertThat(lock.isHeldByCurrentThread()).isFalse();
                            assertThat(lock.tryLock()).isFalse();
                            assertThatThrownBy(lock::fencingToken)
                                    .isExactlyInstanceOf(IllegalMonitorStateException.class);
                            lock.unlock();
                            return true;
                        });
        assertThat(failureOf(stranger)).isExactlyInstanceOf(IllegalMonitorStateException.class);
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
    }

    @Test
    void aThreadAndAGrantExcludeEachOther() {
        try (LockGrant grant = lock.acquire()) {
            assertThat(lock.tryLock()).isFalse();
            assertThat(lock.tryAcquire(Duration.ofMillis(20))).isEmpty();
            assertThat(grant.isHeld()).isTrue();
        }
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.tryAcquire(Duration.ZERO)).isEmpty();
        lock.unlock();
    }

    @Test
    void aGrantMayBeReleasedByAnotherThread() throws Exception {
        LockGrant grant = lock.acquire();
        inThread(
                        () -> {
                            grant.release();
                            return null;
                        })
                .get();
        assertThat(grant.isHeld()).isFalse();
        assertThatCode(grant::close).doesNotThrowAnyException();
        assertThat(onLoop(() -> cluster.isHeld("k"))).isFalse();
    }

    @Test
    void aLostHoldIsNotCountedUpAndItsUnlocksSaySo() throws Exception {
        lock.lock();
        lock.lock();
        FencingToken first = lock.fencingToken();
        onLoop(() -> cluster.expire(client.sessionId().orElseThrow()));
        awaitOnLoop(() -> client.sessionState() == SessionState.LOST);
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(lock.holdCount()).isZero();
        assertThatThrownBy(lock::fencingToken).isInstanceOf(LockLostException.class);
        onLoop(() -> cluster.strangerLocks("k"));
        assertThat(lock.tryLock()).isFalse();
        onLoop(() -> cluster.strangerUnlocks("k"));
        lock.lock();
        assertThat(lock.holdCount()).isEqualTo(1);
        assertThat(lock.fencingToken()).isGreaterThan(first);
        lock.unlock();
        assertThat(onLoop(() -> cluster.isHeld("k"))).isFalse();
        assertThatThrownBy(lock::unlock)
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        lost -> assertThat(lost.reason()).isEqualTo(LossReason.SESSION_EXPIRED));
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::unlock).isExactlyInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void tenThousandShortThreadsExcludeEachOtherAndAreOwnersOfTheirOwn() throws Exception {
        int[] unguarded = {0};
        for (int round = 0; round < 50; round++) {
            Thread[] threads = new Thread[200];
            for (int at = 0; at < threads.length; at++) {
                threads[at] =
                        new Thread(
                                () -> {
                                    lock.lock();
                                    unguarded[0]++;
                                    lock.unlock();
                                });
                threads[at].start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
        assertThat(unguarded[0]).isEqualTo(10_000);
        long owners =
                onLoop(
                        () ->
                                cluster.received.stream()
                                        .filter(Request.Acquire.class::isInstance)
                                        .map(request -> ((Request.Acquire) request).owner())
                                        .distinct()
                                        .count());
        assertThat(owners).isEqualTo(10_000);
    }

    @Test
    void aThreadThatEndsLeavesNoOwnerBehind() throws Exception {
        ThreadLocal<ThreadOwner> owners = ThreadOwner.perThread(new AtomicLong());
        WeakReference<ThreadOwner> left = inThread(() -> new WeakReference<>(owners.get())).get();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (left.get() != null && System.nanoTime() < deadline) {
            System.gc();
        }
        assertThat(left.get()).isNull();
    }

    // Interrupts.

    @Test
    void anInterruptEndsAnInterruptibleWaitWhichThenOwnsNothing() throws Exception {
        onLoop(() -> cluster.strangerLocks("k"));
        CountDownLatch running = new CountDownLatch(1);
        Thread[] waiter = new Thread[1];
        FutureTask<Boolean> waiting =
                inThread(
                        () -> {
                            waiter[0] = Thread.currentThread();
                            running.countDown();
                            try {
                                lock.lockInterruptibly();
                                return false;
                            } catch (InterruptedException expected) {
                                return Thread.currentThread().isInterrupted();
                            }
                        });
        running.await();
        awaitOnLoop(() -> cluster.waiters("k") == 1);
        waiter[0].interrupt();
        waiter[0].interrupt();
        assertThat(waiting.get()).as("the flag is cleared").isFalse();
        awaitOnLoop(() -> cluster.waiters("k") == 0);
        onLoop(() -> cluster.strangerUnlocks("k"));
        assertThat(lock.tryLock(2, TimeUnit.SECONDS)).isTrue();
        lock.unlock();
    }

    @Test
    void anInterruptDoesNotEndLockAndIsNotForgotten() throws Exception {
        onLoop(() -> cluster.strangerLocks("k"));
        Thread.currentThread().interrupt();
        FutureTask<Boolean> freed =
                inThread(
                        () -> {
                            awaitOnLoop(() -> cluster.waiters("k") == 1);
                            onLoop(() -> cluster.strangerUnlocks("k"));
                            return true;
                        });
        lock.lock();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        lock.unlock();
        assertThat(Thread.interrupted()).as("unlock leaves the flag alone").isTrue();
        assertThat(freed.get()).isTrue();
        assertThat(onLoop(() -> cluster.isHeld("k"))).isFalse();
    }

    @Test
    void anInterruptedThreadGetsNoLockInterruptibly() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS))
                .isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> lock.tryAcquire(Duration.ofSeconds(1)))
                .isInstanceOf(CancellationException.class);
        assertThat(Thread.interrupted()).as("unchecked: the flag stays").isTrue();
    }

    @Test
    void whereverAnInterruptHitsNothingIsLeftBehind() throws Exception {
        Random random = new Random(7);
        for (int round = 0; round < 300; round++) {
            long until = random.nextInt(6_000_000);
            boolean twice = random.nextBoolean();
            Thread[] waiter = new Thread[1];
            CountDownLatch running = new CountDownLatch(1);
            FutureTask<Boolean> waiting =
                    inThread(
                            () -> {
                                waiter[0] = Thread.currentThread();
                                running.countDown();
                                try {
                                    lock.lockInterruptibly();
                                } catch (InterruptedException interrupted) {
                                    return false;
                                }
                                lock.unlock();
                                return true;
                            });
            running.await();
            long start = System.nanoTime();
            while (System.nanoTime() - start < until) {
                Thread.onSpinWait();
            }
            waiter[0].interrupt();
            if (twice) {
                waiter[0].interrupt();
            }
            waiting.get();
            assertThat(lock.tryLock(2, TimeUnit.SECONDS)).isTrue();
            lock.unlock();
        }
        awaitOnLoop(() -> cluster.waiters("k") == 0 && !cluster.isHeld("k"));
    }

    // Times.

    @Test
    void aTimedTryComesBackOnTimeAndLeavesNoWaiter() throws Exception {
        onLoop(() -> cluster.strangerLocks("k"));
        long start = System.nanoTime();
        assertThat(lock.tryLock(100, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(System.nanoTime() - start)
                .isBetween(Duration.ofMillis(100).toNanos(), Duration.ofMillis(400).toNanos());
        awaitOnLoop(() -> cluster.waiters("k") == 0);
    }

    @Test
    void aThreadMayTryAgainAtOnceAfterATimeout() throws Exception {
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
    void oddTimesDoWhatTheySay() throws Exception {
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
    void allNodesDownATimedTryEndsInTimeAndLockHonoursClose() throws Exception {
        onLoop(cluster::killAll);
        long start = System.nanoTime();
        assertThat(lock.tryLock(500, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(System.nanoTime() - start)
                .isBetween(Duration.ofMillis(500).toNanos(), Duration.ofMillis(700).toNanos());
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
    void closeWithoutAClusterTakesTwoSeconds() throws Exception {
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
        assertThat(System.nanoTime() - start).isLessThan(Duration.ofMillis(2_500).toNanos());
        assertThat(release.get()).isInstanceOf(OutcomeUnknownException.class);
    }

    // The user's code.

    @Test
    void callbacksThatBlockOrCallBackHurtNobody() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        AtomicInteger told = new AtomicInteger();
        client.addSessionListener(
                new SessionListener() {
                    @Override
                    public void onLost(LossReason reason) {
                        told.incrementAndGet();
                        try {
                            never.await();
                        } catch (InterruptedException interrupted) {
                            Thread.currentThread().interrupt();
                        }
                    }
                });
        CompletableFuture<Optional<FencingToken>> calledBack =
                lock.acquireAsync()
                        .thenApply(
                                grant -> {
                                    grant.release();
                                    lock.lock();
                                    FencingToken token = lock.fencingToken();
                                    lock.unlock();
                                    return Optional.of(token);
                                });
        assertThat(calledBack.get()).isPresent();
        onLoop(() -> cluster.expire(client.sessionId().orElseThrow()));
        while (told.get() == 0) {
            Thread.onSpinWait();
        }
        for (int at = 0; at < 100; at++) {
            lock.acquireAsync().get().releaseAsync().get();
        }
        never.countDown();
    }

    @Test
    void waitingOnTheIoThreadIsRefused() throws Exception {
        Throwable thrown =
                onLoop(
                        () -> {
                            try {
                                lock.lock();
                                return new AssertionError("locked");
                            } catch (IllegalStateException expected) {
                                return expected;
                            }
                        });
        assertThat(thrown).hasMessageContaining("I/O thread");
    }
}
