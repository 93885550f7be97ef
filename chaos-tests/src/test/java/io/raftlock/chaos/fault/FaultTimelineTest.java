package io.raftlock.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.schedule.FaultKind;
import io.raftlock.chaos.schedule.Role;
import io.raftlock.chaos.schedule.Schedule;
import io.raftlock.chaos.schedule.Step;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

class FaultTimelineTest {
    private static final long FROM_NANOS = 1_000;

    private final List<Event> events = new ArrayList<>();
    private final List<String> done = new ArrayList<>();
    private Optional<String> leader = Optional.of("n1");

    @Test
    void stepsBeginAndEndWhenTheirTimeHasComeAndMayOverlap() {
        FaultTimeline timeline =
                timeline(
                        Step.of(100, FaultKind.KILL, Role.LEADER, 500),
                        Step.of(200, FaultKind.PAUSE, Role.FOLLOWER, 100),
                        Step.of(300, FaultKind.ISOLATE, Role.LEADER, 50));
        run(timeline, 2_000);
        assertThat(done)
                .containsExactly(
                        "KILL of n1 at 100",
                        "PAUSE of n2 at 300",
                        "end of PAUSE",
                        "end of KILL",
                        "ISOLATE of n1 at 600",
                        "end of ISOLATE");
        assertThat(timeline.isOver()).isTrue();
        assertThat(events).hasSize(6);
    }

    @Test
    void aStepForTheLeaderWaitsForOneAndIsVoidIfNoneComes() {
        leader = Optional.empty();
        FaultTimeline timeline =
                timeline(
                        Step.of(0, FaultKind.KILL, Role.LEADER, 10),
                        Step.of(100, FaultKind.PAUSE, Role.LEADER, 10));
        run(timeline, 2_000);
        assertThat(events).isEmpty();
        run(timeline, 3_050);
        assertThat(done).isEmpty();
        assertThat(events).hasSize(2);
        leader = Optional.of("n3");
        run(timeline, 4_000);
        assertThat(done).hasSize(2);
    }

    @Test
    void aFaultWhoseToolFailsHasNoProofAndTheOthersGoOn() {
        FaultTimeline timeline =
                timeline(
                        Step.of(0, FaultKind.LOSS, Role.EVERYBODY, 10),
                        Step.of(100, FaultKind.KILL, Role.LEADER, 10));
        run(timeline, 500);
        assertThat(events.get(1))
                .isInstanceOfSatisfying(
                        Event.Noted.class, noted -> assertThat(noted.text()).contains("no tool"));
        assertThat(events.get(2))
                .isInstanceOfSatisfying(
                        Event.FaultEnded.class, ended -> assertThat(ended.proof()).isEmpty());
        assertThat(done).containsExactly("KILL of n1 at 100", "end of KILL");
    }

    @Test
    void whatIsThereWhenTheRunIsGivenUpIsEnded() {
        FaultTimeline timeline =
                timeline(
                        Step.of(0, FaultKind.KILL, Role.LEADER, 10_000),
                        Step.of(100, FaultKind.PAUSE, Role.LEADER, 10));
        run(timeline, 50);
        timeline.giveUp();
        assertThat(done).containsExactly("KILL of n1 at 0", "end of KILL");
        assertThat(timeline.isOver()).isTrue();
    }

    private long nowMillis;

    private void run(FaultTimeline timeline, long untilMillis) {
        for (; nowMillis <= untilMillis; nowMillis += 10) {
            timeline.tick(FROM_NANOS + nowMillis * 1_000_000);
        }
    }

    private FaultTimeline timeline(Step... steps) {
        Schedule schedule = new Schedule(1, 3, List.of(), List.of(steps));
        return new FaultTimeline(
                schedule,
                FROM_NANOS,
                this::begin,
                () ->
                        new FaultTimeline.Standing(
                                new Cast(List.of("n1", "n2", "n3"), leader, List.of("c1")), 4),
                events::add);
    }

    private Active begin(Step step, Targets targets) {
        if (step.kind() == FaultKind.LOSS) {
            throw new IllegalStateException("no tool for that");
        }
        done.add("%s of %s at %d".formatted(step.kind(), targets, nowMillis));
        return () -> {
            done.add("end of " + step.kind());
            return "proved";
        };
    }
}
