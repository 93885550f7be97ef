package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Interrupts at any time, with real threads. */
class InterruptedThreadTest extends ThreadedClient {

    @Test
    void anInterruptEndsAnInterruptibleWaitWhichThenOwnsNothing() throws Exception { // H7
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
    void anInterruptDoesNotEndLockAndIsNotForgotten() throws Exception { // H7
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
    void anInterruptedThreadGetsNoLockInterruptibly() { // H7
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
    void whereverAnInterruptHitsNothingIsLeftBehind() throws Exception { // H7
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

    @Test
    void aFutureOrAStageOfItThatTimesOutLeavesNoWaiter() throws Exception { // H7
        onLoop(() -> cluster.strangerLocks("k"));
        CompletableFuture<LockGrant> future = lock.acquireAsync();
        CompletableFuture<Void> stage = lock.acquireAsync().thenCompose(LockGrant::releaseAsync);
        awaitOnLoop(() -> cluster.waiters("k") == 2);
        future.orTimeout(5, TimeUnit.MILLISECONDS);
        stage.orTimeout(5, TimeUnit.MILLISECONDS);
        assertThatThrownBy(future::get).hasCauseInstanceOf(TimeoutException.class);
        assertThatThrownBy(stage::get).hasCauseInstanceOf(TimeoutException.class);
        awaitOnLoop(() -> cluster.waiters("k") == 0);
        onLoop(() -> cluster.strangerUnlocks("k"));
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }
}
