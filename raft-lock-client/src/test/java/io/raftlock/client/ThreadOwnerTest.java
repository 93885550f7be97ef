package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.protocol.Request;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Threads as owners of locks. */
class ThreadOwnerTest extends ThreadedClient {

    @Test
    void aThreadMayLockAgainAndTheLastUnlockFrees() throws Exception { // H9
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
    void aStrangerCannotUnlock() throws Exception { // E46, H9
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
    void aThreadAndAGrantExcludeEachOther() { // E46
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
    void aGrantMayBeReleasedByAnotherThread() throws Exception { // E46
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
    void aLostHoldIsNotCountedUpAndItsUnlocksSaySo() throws Exception { // H11
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

    static Stream<ThreadFactory> factories() {
        return Caller.factories();
    }

    @ParameterizedTest
    @MethodSource("factories")
    void tenThousandShortThreadsExcludeEachOtherAndAreOwnersOfTheirOwn(ThreadFactory factory)
            throws Exception { // E46
        int[] unguarded = {0};
        for (int round = 0; round < 50; round++) {
            Thread[] threads = new Thread[200];
            for (int at = 0; at < threads.length; at++) {
                threads[at] =
                        factory.newThread(
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
    void aThreadThatEndsLeavesNoOwnerBehind() throws Exception { // E46
        ThreadLocal<ThreadOwner> owners = ThreadOwner.perThread(new AtomicLong());
        WeakReference<ThreadOwner> left = inThread(() -> new WeakReference<>(owners.get())).get();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (left.get() != null && System.nanoTime() < deadline) {
            System.gc();
        }
        assertThat(left.get()).isNull();
    }
}
