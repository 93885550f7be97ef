package io.raftlock.chaos.checker;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.history.Wait;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

class WaitChecksTest {
    private static final Duration BOUND = Duration.ofNanos(100);

    @Test
    void acceptsWaitsWithinTheBound() {
        List<Wait> good = List.of(new Wait("k", "A", 0, 100), new Wait("k", "B", 950, 1_000));
        assertThat(WaitChecks.bounded(good, BOUND, 1_000)).isEmpty();
        assertThat(WaitChecks.allAnswered(good, 1_000)).isEmpty();
        assertThat(WaitChecks.longest(good, 1_000)).isEqualTo(Duration.ofNanos(100));
    }

    @Test
    void rejectsAnAnswerThatCameTooLate() {
        assertThat(WaitChecks.bounded(List.of(new Wait("k", "A", 0, 101)), BOUND, 1_000))
                .hasSize(1);
    }

    @Test
    void rejectsACallThatIsWaitingForTooLong() {
        List<Wait> waits = List.of(new Wait("k", "A", 0, Wait.NOT_ANSWERED));
        assertThat(WaitChecks.bounded(waits, BOUND, 100)).isEmpty();
        assertThat(WaitChecks.bounded(waits, BOUND, 101)).hasSize(1);
        assertThat(WaitChecks.longest(waits, 101)).isEqualTo(Duration.ofNanos(101));
    }

    @Test
    void rejectsACallWithoutAnAnswerWhenAllAreDone() {
        List<Wait> waits = List.of(new Wait("k", "A", 0, Wait.NOT_ANSWERED));
        assertThat(WaitChecks.allAnswered(waits, 5_000_000))
                .singleElement()
                .hasToString("A waited 5 ms for k and has no answer");
    }
}
