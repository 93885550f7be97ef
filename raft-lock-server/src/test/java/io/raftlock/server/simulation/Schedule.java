package io.raftlock.server.simulation;

import java.util.ArrayList;
import java.util.List;

/** The whole input of a simulation: with the same schedule the same happens again. */
record Schedule(long seed, int nodes, int clients, int locks, List<Fault> faults) {
    Schedule {
        faults = List.copyOf(faults);
    }

    /** Draws a schedule; two calls with one seed draw the same. */
    static Schedule of(long seed) {
        return of(seed, Fault.Kind.values());
    }

    /** Draws a schedule with faults of those kinds. */
    static Schedule of(long seed, Fault.Kind... kinds) {
        Chance chance = new Chance(seed);
        List<Fault> faults = new ArrayList<>();
        long count = chance.between(0, 25);
        for (int each = 0; each < count; each++) {
            Fault.Kind kind = kinds[(int) chance.between(0, kinds.length - 1)];
            faults.add(
                    new Fault(
                            kind,
                            (int) chance.between(0, chance.percent(50) ? 200 : 2_500),
                            (int) chance.between(0, 4),
                            (int) chance.between(10, chance.percent(60) ? 1_000 : 9_000)));
        }
        return new Schedule(
                chance.number(),
                chance.percent(70) ? 3 : 5,
                (int) chance.between(1, 5),
                (int) chance.between(1, 6),
                faults);
    }
}
