package io.raftlock.server.simulation;

import java.util.ArrayList;
import java.util.List;

/** Faults that can be planted, to see that the simulation finds them, and what brings them out. */
enum Bug {
    /** A snapshot that leaves out the answers to requests (H10). */
    SNAPSHOT_FORGETS_ANSWERS,
    /** Loading a snapshot keeps what was held before (H10). */
    SNAPSHOT_IS_MERGED(Fault.Kind.INSTALL, Fault.Kind.LAG),
    /** The answers to requests are not kept, so a retry takes effect again (H1). */
    NO_REQUEST_TABLE,
    /** An expiry is applied whatever the session has done since it was decided (H4). */
    EXPIRY_IS_NOT_CHECKED_AGAIN,
    /** An expiry that a deposed leader decided is appended by its successor (H4). */
    EXPIRY_OF_A_DEPOSED_LEADER,
    /** Keep-alives are confirmed without asking a majority (H4). */
    CONFIRMATION_WITHOUT_A_ROUND,
    /** A new leader gives sessions a part of their TTL only (H5). */
    FAILOVER_SHORTENS_SESSIONS,
    /** A new leader's cluster clock begins at its own time instead of the last stamp (E28). */
    CLUSTER_CLOCK_JUMPS,
    /** The client counts its lease from the arrival of the answer (E29). */
    LEASE_COUNTED_FROM_THE_ANSWER,
    /** A leader that did not run for a while takes that time for silence of its clients (H4). */
    PAUSE_COUNTS_AS_SILENCE(Fault.Kind.PAUSE);

    private final Fault.Kind[] faults;

    Bug(Fault.Kind... faults) {
        this.faults = faults.length == 0 ? Fault.Kind.values() : faults;
    }

    /** Draws a schedule in which this bug can show. */
    Schedule schedule(long seed) {
        if (this != EXPIRY_OF_A_DEPOSED_LEADER) {
            return Schedule.of(seed, faults);
        }
        // It takes a leader that does not learn for as long as a session lives that another leads.
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
}
