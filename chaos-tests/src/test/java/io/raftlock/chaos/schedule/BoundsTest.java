package io.raftlock.chaos.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

class BoundsTest {
    @Test
    void aFaultThatLeavesAMajorityHasTheBoundOfItsKind() {
        assertThat(bounds(1, Step.of(0, FaultKind.KILL, Role.LEADER, 3_000)))
                .containsExactly(Duration.ofSeconds(5));
        assertThat(bounds(2, Step.of(0, FaultKind.KILL, Role.LEADER, 3_000)))
                .containsExactly(Duration.ofSeconds(10));
    }

    @Test
    void aFaultThatTakesTheMajorityHasItFromItsEndOn() {
        assertThat(bounds(1, Step.of(0, FaultKind.ISOLATE, Role.MAJORITY, 3_000)))
                .containsExactly(Duration.ofSeconds(8));
    }

    @Test
    void nodesThatStartAtOnceHaveASecondEach() {
        assertThat(bounds(1, Step.of(0, FaultKind.KILL, Role.ALL_NODES, 3_000)))
                .containsExactly(Duration.ofSeconds(8 + 3));
        assertThat(bounds(1, Step.of(0, FaultKind.POWER_CUT, Role.MAJORITY, 3_000)))
                .containsExactly(Duration.ofSeconds(8 + 2));
    }

    @Test
    void faultsThatMeetHaveItFromTheEndOfTheLastOn() {
        assertThat(
                        bounds(
                                1,
                                Step.of(0, FaultKind.KILL, Role.LEADER, 3_000),
                                Step.of(1_000, FaultKind.PAUSE, Role.LEADER, 4_000),
                                Step.of(3_500, FaultKind.MUTE, Role.LEADER, 2_000),
                                Step.of(9_000, FaultKind.DEAF, Role.LEADER, 2_000)))
                .containsExactly(
                        Duration.ofMillis(6_500 + 5_000),
                        Duration.ofMillis(5_500 + 5_000),
                        Duration.ofMillis(2_000 + 5_000),
                        Duration.ofSeconds(5));
    }

    @Test
    void aFaultInTheMiddleOfAnotherCountsForBoth() {
        assertThat(
                        bounds(
                                1,
                                Step.of(0, FaultKind.CLOCK_JUMP, Role.FOLLOWER, 5_000),
                                Step.of(2_000, FaultKind.POWER_CUT, Role.ALL_NODES, 500)))
                .containsExactly(Duration.ofSeconds(10 + 3), Duration.ofSeconds(8 + 3));
    }

    private static List<Duration> bounds(double slowness, Step... steps) {
        Schedule schedule = new Schedule(1, 3, List.of(), List.of(steps));
        return List.copyOf(new java.util.TreeMap<>(Bounds.of(schedule, slowness)).values());
    }
}
