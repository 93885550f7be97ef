package io.raftlock.server.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Draws schedules from seeds and runs them. A failure names its seed, and the first of these
 * replays it; the second runs many more.
 *
 * <pre>
 * mvn -B -ntp -pl raft-lock-server -am -Psim -Dsimulation.seed=SEED test
 * mvn -B -ntp -pl raft-lock-server -am -Psim -Dschedules=100000 -Dsimulation.first=5000 test
 * </pre>
 */
class SimulationTest {
    private static final long FIRST_SEED = 1;

    @Test
    void randomFaultsBreakNoPromise() {
        Long only = Long.getLong("simulation.seed");
        if (only != null) {
            System.out.println(only + ": " + Schedule.of(only));
            System.out.println(run(only));
            return;
        }
        long schedules = Long.getLong("simulation.schedules", 250);
        long first = Long.getLong("simulation.first", FIRST_SEED);
        long steps = 0;
        long entries = 0;
        long grants = 0;
        long trueMillis = 0;
        long started = System.nanoTime();
        for (long seed = first; seed < first + schedules; seed++) {
            Simulation.Result result = run(seed);
            steps += result.steps();
            entries += result.entries();
            grants += result.grants();
            trueMillis += result.trueMillis();
        }
        System.out.printf(
                "simulation: %,d steps in %,d schedules, %,d entries, %,d grants,"
                        + " %,d s simulated in %,d ms%n",
                steps,
                schedules,
                entries,
                grants,
                trueMillis / 1_000,
                (System.nanoTime() - started) / 1_000_000);
        assertThat(steps).isGreaterThan(10_000);
        assertThat(grants).isGreaterThan(schedules);
    }

    private static Simulation.Result run(long seed) {
        try {
            return Simulation.run(Schedule.of(seed));
        } catch (AssertionError | RuntimeException broken) {
            throw new AssertionError(
                    "seed %d: %s; replay with -Dsimulation.seed=%d"
                            .formatted(seed, broken.getMessage(), seed),
                    broken);
        }
    }
}
