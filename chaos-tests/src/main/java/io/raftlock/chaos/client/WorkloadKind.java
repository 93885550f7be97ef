package io.raftlock.chaos.client;

/** What the programs of a run do. */
public enum WorkloadKind {
    /** W1: takes one of a few hot locks, in all ways. */
    FENCED_MUTEX,
    /** W2: takes a lock again that the same thread holds. */
    REENTRANT,
    /** W5: many wait for few locks, and some give up. */
    FAIR_QUEUE,
    /** W6: reads and then writes the store under a lock. */
    FENCED_STORE,
    /** W7: falls silent for about a TTL, reconnects, closes with locks held. */
    SESSIONS,
    /** W8: holds many of thousands of locks, in many sessions. */
    MANY_KEYS,
    /** W9: asks what a session holds. */
    HOLDER_READS,
    /** W10: asks for the same request again under its number. */
    RETRIES,
    /** W11: does nothing for longer than a TTL, and then much. */
    IDLE,
    /** At the end of a run: takes and frees each of many locks once. */
    SWEEP
}
