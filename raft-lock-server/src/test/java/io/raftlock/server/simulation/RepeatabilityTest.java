package io.raftlock.server.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import org.junit.jupiter.api.Test;

import java.util.EnumSet;
import java.util.List;

/** The tool itself: a schedule is the whole input, and chance reaches what it should. */
class RepeatabilityTest {

    @Test
    void theSameScheduleDoesTheSameAgain() {
        for (long seed = 1; seed <= 5; seed++) {
            assertThat(Simulation.run(Schedule.of(seed)))
                    .isEqualTo(Simulation.run(Schedule.of(seed)));
        }
    }

    @Test
    void theSameScheduleFailsTheSameWayAgain() {
        EnumSet<Bug> bug = EnumSet.of(Bug.FAILOVER_SHORTENS_SESSIONS);
        Schedule schedule = Schedule.of(1);
        Throwable first = catchThrowable(() -> Simulation.run(schedule, bug));
        assertThat(first).isInstanceOf(Violation.class);
        assertThat(catchThrowable(() -> Simulation.run(schedule, bug)))
                .hasMessage(first.getMessage());
    }

    @Test
    void withoutFaultsThereIsStillWorkToDo() {
        Fault later = new Fault(Fault.Kind.SNAPSHOT, 10_000, 0, 0);
        Simulation.Result result = Simulation.run(new Schedule(1, 3, 4, 2, List.of(later)));
        assertThat(result.grants()).isGreaterThan(30);
        assertThat(result.steps()).isGreaterThan(500);
    }
}
