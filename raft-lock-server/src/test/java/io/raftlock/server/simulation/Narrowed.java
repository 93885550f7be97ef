package io.raftlock.server.simulation;

import io.raftlock.server.mutation.Mutation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Schedules in which a certain kind of fault shows soon, where in any schedule it would be rare.
 */
enum Narrowed {
    ANY {
        @Override
        Schedule schedule(long seed) {
            return Schedule.of(seed);
        }
    },

    LOSSES {
        @Override
        Schedule schedule(long seed) {
            return Schedule.of(seed, Fault.Kind.LOSSY);
        }
    },

    /** What is decided takes effect late, and messages get lost meanwhile. */
    STALLS {
        @Override
        Schedule schedule(long seed) {
            List<Fault> faults = new ArrayList<>();
            for (int round = 0; round < 12; round++) {
                faults.add(new Fault(Fault.Kind.LOSSY, 2_000, 0, 2_500));
                faults.add(new Fault(Fault.Kind.STALL, 1_000, 0, 2_500));
            }
            return new Schedule(seed, 3, 5, 1, faults);
        }
    },

    PAUSES {
        @Override
        Schedule schedule(long seed) {
            return Schedule.of(seed, Fault.Kind.PAUSE);
        }
    },

    /** Leaders that do not learn for as long as a session lives that others lead. */
    DEPOSED_UNAWARES {
        @Override
        Schedule schedule(long seed) {
            List<Fault> faults = new ArrayList<>();
            for (int round = 0; round < 10; round++) {
                for (int node = 0; node < 3; node++) {
                    faults.add(new Fault(Fault.Kind.LAG, 0, node, 6_000));
                }
                faults.add(new Fault(Fault.Kind.ELECT, 500, round, 0));
                faults.add(new Fault(Fault.Kind.SNAPSHOT, 6_000, round, 0));
            }
            return new Schedule(seed, 3, 5, 6, faults);
        }
    },

    /** Clients die, and leaders change before the sessions of the dead can end. */
    MANY_LEADERS {
        @Override
        Schedule schedule(long seed) {
            List<Fault> faults = new ArrayList<>();
            for (int client = 0; client < 5; client++) {
                faults.add(new Fault(Fault.Kind.KILL_CLIENT, 300, client, 0));
            }
            for (int round = 0; round < 15; round++) {
                faults.add(new Fault(Fault.Kind.ELECT, 6_000, round, 0));
            }
            return new Schedule(seed, 3, 5, 6, faults);
        }
    };

    private static final Map<Mutation, Narrowed> NEEDED =
            Map.of(
                    Mutation.AN_EXPIRY_IS_FORWARDED_TO_THE_NEXT_LEADER, DEPOSED_UNAWARES,
                    Mutation.A_PAUSE_COUNTS_AS_SILENCE, PAUSES,
                    Mutation.A_NEW_LEADER_GIVES_THE_SILENT_THEIR_WHOLE_TIME_AGAIN, MANY_LEADERS,
                    Mutation.LEASES_BEGIN_ANEW_WITH_EACH_LEADER, MANY_LEADERS,
                    Mutation.A_RELEASE_IS_NOT_BOUND_TO_ITS_GRANT, STALLS,
                    Mutation.A_LEASE_IS_COUNTED_FROM_THE_ANSWER, LOSSES);

    /** Returns the schedules in which that bug can show soon. */
    static Narrowed bestFor(Mutation mutation) {
        return NEEDED.getOrDefault(mutation, ANY);
    }

    abstract Schedule schedule(long seed);
}
