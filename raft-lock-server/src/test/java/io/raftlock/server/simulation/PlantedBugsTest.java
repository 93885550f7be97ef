package io.raftlock.server.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.server.mutation.Mutation;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Optional;

/** A simulation that finds no bug proves nothing until it has found some. */
class PlantedBugsTest {
    private static final int SCHEDULES = 10_000;

    @ParameterizedTest
    @EnumSource(Mutation.class)
    void aPlantedBugIsFound(Mutation mutation) throws Exception {
        MutatedServer server = MutatedServer.with(mutation);
        Narrowed schedules = Narrowed.bestFor(mutation);
        int needed = 0;
        Optional<String> found = Optional.empty();
        while (found.isEmpty() && needed < SCHEDULES) {
            needed++;
            found = server.run(schedules, needed);
        }
        System.out.printf(
                "simulation: %s in %s schedule %d: %.120s%n",
                mutation, schedules, needed, found.orElse("not found"));
        assertThat(found).isPresent();
    }

    /** What finds the bugs finds nothing in the same schedules without them. */
    @ParameterizedTest
    @EnumSource(Narrowed.class)
    void withoutABugNothingIsFound(Narrowed schedules) {
        for (int seed = 1; seed <= 30; seed++) {
            assertThat(Simulation.run(schedules.schedule(seed)).grants()).isNotNegative();
        }
    }
}
