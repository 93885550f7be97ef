package io.raftlock.chaos.checker;

/** Whether there is an order of a history's operations that explains all answers. */
enum Linearizability {
    VALID,
    INVALID,
    /** The check cannot tell, or not within its budget. */
    UNKNOWN
}
