package io.raftlock.server.simulation;

import static org.assertj.core.api.Assertions.fail;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.EnumSet;
import java.util.Set;

/** A simulation that finds no bug proves nothing until it has found some. */
class PlantedBugsTest {
    private static final int SCHEDULES = 200;

    @ParameterizedTest
    @EnumSource(Bug.class)
    void aPlantedBugIsFound(Bug bug) {
        Set<Bug> planted = EnumSet.of(bug);
        for (long seed = 1; seed <= SCHEDULES; seed++) {
            try {
                Simulation.run(Schedule.of(seed), planted);
            } catch (Violation found) {
                System.out.printf(
                        "simulation: %s found in schedule %d: %.120s%n",
                        bug, seed, found.getMessage());
                return;
            }
        }
        fail(bug + " was not found in " + SCHEDULES + " schedules");
    }
}
