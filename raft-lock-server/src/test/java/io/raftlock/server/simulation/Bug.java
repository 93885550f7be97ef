package io.raftlock.server.simulation;

/** Faults that can be planted, to see that the simulation finds them. */
enum Bug {
    /** A snapshot that leaves out the answers to requests (H10). */
    SNAPSHOT_FORGETS_ANSWERS,
    /** Loading a snapshot keeps what was held before (H10). */
    SNAPSHOT_IS_MERGED,
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
    PAUSE_COUNTS_AS_SILENCE
}
