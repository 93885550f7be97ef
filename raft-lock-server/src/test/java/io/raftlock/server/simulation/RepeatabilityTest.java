package io.raftlock.server.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.server.mutation.Mutation;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;

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
    void theSameScheduleFailsTheSameWayAgain() throws Exception {
        MutatedServer server = MutatedServer.with(Mutation.A_NEW_LEADER_SHORTENS_SESSIONS);
        Optional<String> first = server.run(Narrowed.ANY, 3);
        assertThat(first).isPresent();
        assertThat(server.run(Narrowed.ANY, 3)).isEqualTo(first);
    }

    @Test
    void withoutFaultsThereIsStillWorkToDo() {
        Fault later = new Fault(Fault.Kind.SNAPSHOT, 10_000, 0, 0);
        Simulation.Result result = Simulation.run(new Schedule(1, 3, 4, 2, List.of(later)));
        assertThat(result.grants()).isGreaterThan(30);
        assertThat(result.steps()).isGreaterThan(500);
    }
}
