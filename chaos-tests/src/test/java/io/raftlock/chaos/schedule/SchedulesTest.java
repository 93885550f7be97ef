package io.raftlock.chaos.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

class SchedulesTest {
    private static final Set<FaultKind> ALL = EnumSet.allOf(FaultKind.class);
    private static final List<String> CLIENTS = List.of("MUTEX", "STORE");

    @TempDir Path folder;

    @Test
    void oneSeedIsOneSchedule() {
        assertThat(drawn(7)).isEqualTo(drawn(7)).isNotEqualTo(drawn(8));
    }

    @Test
    void theLastStepsBeforeAFindingAreTriedFirst() {
        List<Step> begun = drawn(5).steps().subList(0, 8);
        assertThat(Shrinker.lastOf(begun))
                .containsExactly(begun.subList(5, 8), begun.subList(2, 8), begun);
        assertThat(Shrinker.lastOf(begun.subList(0, 2))).containsExactly(begun.subList(0, 2));
    }

    @Test
    void aScheduleIsTheSameWhenItIsReadAgain() throws IOException {
        Schedule schedule = drawn(3);
        Path file = folder.resolve("schedule.json");
        schedule.write(file);
        assertThat(Schedule.read(file)).isEqualTo(schedule);
    }

    @Test
    void manySeedsHaveAllKindsForAllWhomTheyCanBeFor() {
        Set<String> drawn = new java.util.HashSet<>();
        Set<String> possible = new java.util.HashSet<>();
        LongStream.range(0, 300)
                .forEach(
                        seed ->
                                drawn(seed)
                                        .steps()
                                        .forEach(
                                                step ->
                                                        drawn.add(
                                                                step.kind() + " " + step.role())));
        ALL.forEach(kind -> kind.roles().forEach(role -> possible.add(kind + " " + role)));
        assertThat(drawn).isEqualTo(possible);
    }

    @Test
    void onlyWhatTheHostCanDoIsDrawn() {
        Schedule schedule =
                Schedules.draw(5, 3, CLIENTS, EnumSet.of(FaultKind.KILL, FaultKind.PAUSE), 120_000);
        assertThat(schedule.steps())
                .extracting(Step::kind)
                .isSubsetOf(FaultKind.KILL, FaultKind.PAUSE);
        assertThat(schedule.lengthMillis()).isBetween(120_000L, 140_000L);
    }

    @Test
    void twoDisksAreNotBrokenAtOnce() {
        for (long seed = 0; seed < 100; seed++) {
            List<Step> steps = drawn(seed).steps();
            for (int i = 1; i < steps.size(); i++) {
                Step before = steps.get(i - 1);
                if (before.kind().isOfDisks() && steps.get(i).kind().isOfDisks()) {
                    assertThat(steps.get(i).afterMillis()).isGreaterThan(before.holdMillis());
                }
            }
        }
    }

    @Test
    void aStepForWhomItsKindIsNotIsRefused() {
        assertThatThrownBy(() -> Step.of(0, FaultKind.SNAPSHOT_INSTALL, Role.LEADER, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("FOLLOWER");
    }

    @Test
    void whatIsNotNeededForAFailureIsLeftOut() {
        List<Step> steps =
                IntStream.range(0, 20)
                        .mapToObj(i -> new Step(i, FaultKind.KILL, Role.LEADER, 1, 0, i))
                        .toList();
        AtomicInteger runs = new AtomicInteger();
        List<Step> smallest =
                Shrinker.shrink(
                        steps,
                        some -> {
                            runs.incrementAndGet();
                            return some.contains(steps.get(4)) && some.contains(steps.get(17));
                        },
                        () -> false);
        assertThat(smallest).containsExactly(steps.get(4), steps.get(17));
        assertThat(runs.get()).isLessThan(60);
    }

    @Test
    void shrinkingEndsWithItsTime() {
        List<Step> steps = new ArrayList<>(drawn(1).steps());
        AtomicInteger runs = new AtomicInteger();
        List<Step> smallest =
                Shrinker.shrink(steps, some -> runs.incrementAndGet() > 0, () -> runs.get() >= 2);
        assertThat(runs.get()).isEqualTo(2);
        assertThat(smallest).hasSizeLessThan(steps.size()).isNotEmpty();
    }

    private static Schedule drawn(long seed) {
        return Schedules.draw(seed, 5, CLIENTS, ALL, 600_000);
    }
}
