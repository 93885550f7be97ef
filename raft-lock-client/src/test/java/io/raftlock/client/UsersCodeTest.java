package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.protocol.Request;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Users' code that blocks, throws or calls back: nobody else waits for it. */
class UsersCodeTest extends ThreadedClient {
    private static final Duration TTL = Duration.ofSeconds(2);
    private static final int BLOCKING = 12;

    private final CountDownLatch unblock = new CountDownLatch(1);

    @Override
    RaftLockClient.Builder builder() {
        return super.builder().sessionTtl(TTL);
    }

    @AfterEach
    void unblock() {
        unblock.countDown();
    }

    /** Progress is always told on the client's own threads, and never by this one. */
    private void blockCallbackThreads() throws Exception {
        onLoop(() -> cluster.strangerLocks("taken"));
        CountDownLatch blocked = new CountDownLatch(BLOCKING);
        AcquireOptions blocking =
                AcquireOptions.defaults()
                        .onProgress(
                                place -> {
                                    blocked.countDown();
                                    block();
                                });
        for (int at = 0; at < BLOCKING; at++) {
            client.lock("taken").acquireAsync(blocking);
        }
        blocked.await();
    }

    private void block() {
        try {
            unblock.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void callbacksThatBlockOrCallBackHurtNobody() throws Exception { // E17, H12
        AtomicInteger told = new AtomicInteger();
        client.addSessionListener(
                new SessionListener() {
                    @Override
                    public void onLost(LossReason reason) {
                        told.incrementAndGet();
                        block();
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
    }

    @Test
    void callbacksOfOneClientThatBlockDoNotDelayGrantsOfAnother() throws Exception { // E17, H12
        RaftLockClient other =
                super.builder()
                        .endpoints(cluster.endpoints())
                        .build(
                                new RaftLockClient.Parts(
                                        new Unending(loop), cluster, () -> {}, "other"),
                                new Random(2));
        blockCallbackThreads();
        long slowest = 0;
        for (int at = 0; at < 200; at++) {
            long start = System.nanoTime();
            other.lock("quick").acquireAsync().get().releaseAsync().get();
            lock.lock();
            lock.unlock();
            slowest = Math.max(slowest, System.nanoTime() - start);
        }
        assertThat(unblock.getCount()).as("they block still").isEqualTo(1);
        assertThat(Duration.ofNanos(slowest)).isLessThan(Duration.ofSeconds(2));
        other.close();
    }

    @Test
    void tenThousandCompletionsThatThrowOrLockDoNotHoldUpOthers() throws Exception { // E17
        CountDownLatch ran = new CountDownLatch(10_000);
        for (int at = 0; at < 10_000; at++) {
            DistributedLock own = client.lock("own/" + at);
            boolean locks = at % 100 == 0;
            own.acquireAsync()
                    .thenAccept(
                            grant -> {
                                ran.countDown();
                                grant.releaseAsync();
                                if (locks) {
                                    own.lock();
                                    own.unlock();
                                }
                                throw new IllegalStateException("thrown by a test");
                            });
        }
        lock.lock();
        lock.unlock();
        assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
        awaitOnLoop(() -> !cluster.isHeld("own/9999"));
        assertThat(client.sessionState()).isEqualTo(SessionState.ACTIVE);
    }

    @Test
    void holdsLastWhileTheCommonPoolAndTheCallbackThreadsAreBlocked() throws Exception { // E48
        List<LockGrant> grants = new ArrayList<>();
        for (int at = 0; at < 500; at++) {
            grants.add(client.lock("held/" + at).acquireAsync().get());
        }
        int threads = ForkJoinPool.commonPool().getParallelism();
        CountDownLatch blocked = new CountDownLatch(threads);
        for (int at = 0; at < threads; at++) {
            ForkJoinPool.commonPool()
                    .execute(
                            () -> {
                                blocked.countDown();
                                block();
                            });
        }
        blocked.await();
        blockCallbackThreads();
        int before = onLoop(() -> (int) cluster.count(Request.KeepAlive.class));
        TimeUnit.NANOSECONDS.sleep(TTL.plusMillis(500).toNanos());
        int sent = onLoop(() -> (int) cluster.count(Request.KeepAlive.class)) - before;
        assertThat(grants).allMatch(LockGrant::isHeld);
        assertThat(sent).as("keep-alives, seven are due").isBetween(4, 9);
    }

    @Test
    void waitingOnTheIoThreadIsRefused() throws Exception { // E17
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

    @Test
    void aReleaseThatIsRefusedOnTheIoThreadCanBeMadeElsewhere() throws Exception { // H9, E17
        LockGrant grant = lock.acquire();
        onLoop(
                () ->
                        assertThatThrownBy(grant::release)
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageContaining("I/O thread"));
        assertThat(grant.isHeld()).isTrue();
        grant.release();
        assertThat(grant.isHeld()).isFalse();
        assertThat(onLoop(() -> cluster.isHeld("k"))).isFalse();
    }
}
