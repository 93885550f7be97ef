package io.raftlock.server.simulation;

import static org.assertj.core.api.Assertions.assertThat;

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
        int needed = 1;
        while (needed <= SCHEDULES && !isFoundIn(needed, bug)) {
            needed++;
        }
        assertThat(needed).isLessThanOrEqualTo(SCHEDULES);
    }

    private static boolean isFoundIn(int seed, Bug bug) {
        Set<Bug> planted = EnumSet.of(bug);
        try {
            Simulation.run(bug.schedule(seed), planted);
            return false;
        } catch (Violation | IllegalStateException found) {
            System.out.printf(
                    "simulation: %s found in schedule %d: %.100s%n", bug, seed, found.getMessage());
            return true;
        }
    }
}
