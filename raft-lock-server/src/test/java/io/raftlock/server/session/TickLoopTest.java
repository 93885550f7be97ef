package io.raftlock.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** The one place of this package that has a thread. */
@Timeout(30)
class TickLoopTest {
    private final CompletableFuture<Throwable> fatal = new CompletableFuture<>();

    @Test
    void whatIsPostedRunsInOrderAndTurnsComeInBetween() throws InterruptedException {
        CountDownLatch turns = new CountDownLatch(3);
        CountDownLatch done = new CountDownLatch(1);
        List<Integer> order = new ArrayList<>();
        try (TickLoop loop = new TickLoop(fatal::complete)) {
            loop.execute(() -> order.add(1));
            assertThat(loop.offer(() -> order.add(2))).isTrue();
            loop.execute(done::countDown);
            loop.start(
                    nowNanos -> {
                        turns.countDown();
                        return 1_000_000;
                    });
            done.await();
            turns.await();
        }
        assertThat(order).containsExactly(1, 2);
        assertThat(fatal).isNotDone();
    }

    @Test
    void whatEscapesATaskIsReportedAndEndsTheLoop() {
        IllegalStateException broken = new IllegalStateException("broken");
        try (TickLoop loop = new TickLoop(fatal::complete)) {
            loop.execute(
                    () -> {
                        throw broken;
                    });
            loop.start(nowNanos -> SessionTicker.TICK_NANOS);
            assertThat(fatal.join()).isSameAs(broken);
        }
    }

    @Test
    void manyTasksDoNotPutATurnOffForLong() {
        int posted = 10_000;
        AtomicInteger run = new AtomicInteger();
        CompletableFuture<Integer> runBeforeFirstTurn = new CompletableFuture<>();
        try (TickLoop loop = new TickLoop(fatal::complete)) {
            for (int task = 0; task < posted; task++) {
                loop.execute(run::incrementAndGet);
            }
            loop.start(
                    nowNanos -> {
                        runBeforeFirstTurn.complete(run.get());
                        return SessionTicker.TICK_NANOS;
                    });
            assertThat(runBeforeFirstTurn.join()).isBetween(2, posted / 10);
        }
    }

    @Test
    void aLoopThatIsFarBehindTakesOnlyWhatMustNotBeDropped() {
        List<Runnable> run = new ArrayList<>();
        try (TickLoop loop = new TickLoop(fatal::complete)) {
            int taken = 0;
            while (loop.offer(() -> run.add(null))) {
                taken++;
            }
            assertThat(taken).isGreaterThan(100_000);
            loop.execute(() -> run.add(null));
        }
        assertThat(run).isEmpty();
    }

    @Test
    void aLoopThatWasInterruptedWhileItCloses() {
        TickLoop loop = new TickLoop(fatal::complete);
        loop.start(nowNanos -> SessionTicker.TICK_NANOS);
        Thread.currentThread().interrupt();
        loop.close();
        assertThat(Thread.interrupted()).isTrue();
    }
}
