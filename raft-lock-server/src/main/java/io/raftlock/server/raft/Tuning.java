package io.raftlock.server.raft;

/**
 * Numbers of the engine that an operator may change.
 *
 * @param electionTimeoutMillis without a leader's word, after which a node stands for election
 * @param electionDelayMillis up to which a candidate waits longer for votes, by chance; and a third
 *     of it up to which a node looks later whether its leader is silent, see {@link EngineTimers}
 * @param snapshotIntervalSeconds between two looks at whether a snapshot is due; 0 for none
 * @param snapshotMargin entries applied since the last snapshot from which on one is due
 * @param entriesInFlight entries that a leader has under way at a time
 * @param outstandingCommands proposed by clients and without a verdict; more are refused
 */
public record Tuning(
        int electionTimeoutMillis,
        int electionDelayMillis,
        int snapshotIntervalSeconds,
        int snapshotMargin,
        int entriesInFlight,
        int outstandingCommands) {
    public static final Tuning DEFAULT = new Tuning(800, 400, 300, 1_000, 3, 16_384);
}
