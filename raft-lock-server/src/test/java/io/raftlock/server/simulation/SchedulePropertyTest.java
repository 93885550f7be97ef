package io.raftlock.server.simulation;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/**
 * Schedules as data: one that breaks a promise is cut down to the few faults that do it, and the
 * report shows it. The seed of the draws is fixed, so the same schedules are tried again.
 */
class SchedulePropertyTest {

    @Property(tries = 60, seed = "20", shrinking = ShrinkingMode.BOUNDED)
    void noScheduleBreaksAPromise(@ForAll("schedules") Schedule schedule) {
        Simulation.run(schedule);
    }

    @Provide
    Arbitrary<Schedule> schedules() {
        return Combinators.combine(
                        Arbitraries.longs(),
                        Arbitraries.of(3, 5),
                        Arbitraries.integers().between(1, 5),
                        Arbitraries.integers().between(1, 4),
                        faults().list().ofMaxSize(25))
                .as(Schedule::new);
    }

    private static Arbitrary<Fault> faults() {
        return Combinators.combine(
                        Arbitraries.of(Fault.Kind.class),
                        Arbitraries.integers().between(0, 2_500),
                        Arbitraries.integers().between(0, 4),
                        Arbitraries.integers().between(10, 9_000))
                .as(Fault::new);
    }
}
