package io.raftlock.server.simulation;

/**
 * Something that goes wrong.
 *
 * @param afterMillis the fault before
 * @param target which node or client, counted around
 * @param millis how long it lasts
 */
record Fault(Kind kind, int afterMillis, int target, int millis) {
    enum Kind {
        /** Another leader is elected, though nothing is wrong with the present one. */
        ELECT,
        CRASH,
        /** The process does not run, but its sockets fill. */
        PAUSE,
        /** Clients reach the node, but the other nodes do not. */
        ISOLATE,
        /** A follower applies nothing. */
        LAG,
        SNAPSHOT,
        /** A node gets another's snapshot in place of its own state. */
        INSTALL,
        KILL_CLIENT,
        /** Most messages between clients and nodes are lost. */
        LOSSY,
        /** Entries are committed late. */
        STALL,
        /** Rounds to confirm leadership fail, and proposals are refused. */
        REFUSE,
        /** Every node crashes. */
        BLACKOUT
    }
}
