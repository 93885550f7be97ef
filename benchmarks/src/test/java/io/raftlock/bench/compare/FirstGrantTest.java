package io.raftlock.bench.compare;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.bench.load.LoadFailure;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

class FirstGrantTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(100);

    @Test
    void whoRefusesAtFirstIsAskedAgain() {
        AtomicInteger asked = new AtomicInteger();
        assertThatCode(
                        () ->
                                FirstGrant.await(
                                        "it",
                                        LONG,
                                        () -> {
                                            if (asked.incrementAndGet() == 1) {
                                                throw new IOException("not yet");
                                            }
                                        }))
                .doesNotThrowAnyException();
    }

    @Test
    void whyThereWasNoneIsSaidInOneLine() {
        assertThatThrownBy(
                        () ->
                                FirstGrant.await(
                                        "it",
                                        SHORT,
                                        () -> {
                                            throw new IOException("no\n  leader");
                                        }))
                .isInstanceOf(LoadFailure.class)
                .hasMessage("it gave no lock within 0 s: no leader");
    }

    @Test
    void whoNeverAnswersIsNotWaitedForLongerThanTheBound() {
        assertThatThrownBy(() -> FirstGrant.await("it", SHORT, new CountDownLatch(1)::await))
                .isInstanceOf(LoadFailure.class)
                .hasMessageContaining("no answer");
    }
}
