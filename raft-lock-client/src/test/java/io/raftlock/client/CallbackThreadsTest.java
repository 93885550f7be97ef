package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

class CallbackThreadsTest {
    private final Set<Thread> started = ConcurrentHashMap.newKeySet();
    private final CallbackThreads threads =
            new CallbackThreads(
                    task -> {
                        Thread thread = new Thread(task);
                        thread.setDaemon(true);
                        started.add(thread);
                        return thread;
                    });

    @AfterEach
    void stop() {
        threads.shutDown();
    }

    @Test
    void callbacksThatBlockDoNotKeepTheOthersWaiting() throws Exception { // E17
        CountDownLatch unblock = new CountDownLatch(1);
        for (int blocking = 0; blocking < 12; blocking++) {
            threads.execute(() -> await(unblock));
        }
        CountDownLatch ran = new CountDownLatch(1_000);
        for (int quick = 0; quick < 1_000; quick++) {
            threads.execute(ran::countDown);
        }
        assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
        unblock.countDown();
    }

    @Test
    void shortCallbacksNeedFewThreads() throws Exception {
        CountDownLatch ran = new CountDownLatch(100_000);
        for (int quick = 0; quick < 100_000; quick++) {
            threads.execute(ran::countDown);
        }
        assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(started).hasSizeLessThan(16);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
