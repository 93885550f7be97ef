package io.raftlock.server.mutation;

import java.util.List;

/**
 * One-line sabotages that a simulation has to find, and that a cluster of processes can be run
 * with: each replaces a piece of a source file, and stands for a kind of fault that lock services
 * have had.
 */
public enum Mutation {
    // H1
    REQUESTS_ARE_NOT_REMEMBERED(
            "lock/AnsweredRequests", "        answers.put(number, outcome);", "        return;"),

    // H2
    A_CANCEL_THAT_OVERTAKES_ITS_ACQUIRE_IS_FORGOTTEN(
            "lock/LockStateMachine",
            "if (session.requests().earlier(cancel.acquireNumber()) == null) {",
            "if (false) {"),
    A_CANCEL_DOES_NOT_END_A_HOLD(
            "lock/LockStateMachine",
            "        if (locks.isHeldBy(claim)) {\n            stopHolding",
            "        if (locks.isHeldBy(claim)) {\n            if (false) stopHolding"),

    // H3
    WAITS_OUTLIVE_THEIR_SESSION(
            "lock/LockStateMachine",
            "if (!locks.isHeldBy(claim)) {\n                stopWaiting(session, claim);",
            "if (!locks.isHeldBy(claim)) {\n                session.remove(claim);"),

    // H4
    AN_EXPIRY_IS_NOT_CHECKED_AGAIN(
            "lock/LockStateMachine",
            "if (session == null || session.lastCommand() != expire.lastCommand()) {",
            "if (session == null) {"),
    KEEP_ALIVES_ARE_CONFIRMED_WITHOUT_A_MAJORITY(
            "session/LeaderTerm",
            "port.confirmLeadership(confirmed -> tickThread",
            "java.util.function.Consumer<Boolean> any = confirmed -> tickThread",
            "roundEnded(confirmed)));",
            "roundEnded(confirmed)); any.accept(true);"),
    AN_EXPIRY_IS_FORWARDED_TO_THE_NEXT_LEADER(
            "simulation/SimNode",
            "        if (leading && inTerm == term) {\n            propose(command",
            "        if (leading && inTerm == term) {\n            cluster.leader().propose(command"),
    A_PAUSE_COUNTS_AS_SILENCE("session/SessionTicker", "isLate ? latenessNanos : 0", "0"),

    // H5
    A_NEW_LEADER_SHORTENS_SESSIONS(
            "session/LeaderTerm",
            "listen(session, ttlNanos, leaderNanos, leaderNanos + ttlNanos);",
            "listen(session, ttlNanos, leaderNanos, leaderNanos + ttlNanos / 5);"),
    THE_CLUSTER_CLOCK_STARTS_AHEAD(
            "session/ClusterClock",
            "base = new Base(stampMillis, nowNanos);",
            "base = new Base(stampMillis + 5_000, nowNanos);"),

    // H6
    A_NEW_LEADER_GIVES_THE_SILENT_THEIR_WHOLE_TIME_AGAIN(
            "session/LeaderTerm", "if (session.deadlineMillis() == 0) {", "if (true) {"),
    LEASES_BEGIN_ANEW_WITH_EACH_LEADER(
            "session/ClusterClock",
            "base = new Base(stampMillis, nowNanos);",
            "base = new Base(0, nowNanos);"),
    LIFE_IS_CONFIRMED_BEFORE_THE_LOG_KNOWS(
            "session/LeaderTerm",
            "} else if (silences.contains(session)) {",
            "} else if (false) {"),

    // H9
    A_RELEASE_IS_NOT_BOUND_TO_ITS_GRANT(
            "lock/LockStateMachine",
            "return lock != null && lock.hold().token() == token ? lock : null;",
            "return lock;"),
    A_RETRIED_RELEASE_IS_REFUSED(
            "lock/LockStateMachine",
            "        if (earlier != null) {",
            "        if (earlier != null && !(command instanceof Command.Release)) {"),

    // H10
    A_SNAPSHOT_FORGETS_ANSWERS(
            "lock/Session",
            "requests = new AnsweredRequests(saved);",
            "requests = new AnsweredRequests();"),
    A_SNAPSHOT_FORGETS_WHO_WAITS("lock/Locks", "saved.waiters().forEach(this::enqueue);", ""),
    A_SNAPSHOT_SEES_WHAT_COMES_AFTER_IT(
            "lock/FairQueue",
            "return now == epoch ? this : new FairQueue(now, waiters);",
            "return this;"),
    A_SNAPSHOT_FORGETS_SILENCE("lock/Session", "deadlineMillis = saved.deadlineMillis();", ""),

    // H12
    A_KEEP_ALIVE_DOES_NOT_TELL_OF_A_GRANT(
            "lock/LockStateMachine",
            "return hold.claim().equals(claim) ? new ClaimState.Holding(hold) : new ClaimState.Waiting();",
            "return new ClaimState.Waiting();"),

    // E29
    A_LEASE_IS_COUNTED_FROM_THE_ANSWER(
            "simulation/SimSession",
            "leaseUntilNanos = Math.max(leaseUntilNanos, sentNanos + ttlNanos);",
            "leaseUntilNanos = Math.max(leaseUntilNanos, client.now() + ttlNanos);");

    private final SourceChange change;

    /**
     * @param file from the package of the server on
     * @param replacements what stands there once, what stands in its place, and so on
     */
    Mutation(String file, String... replacements) {
        change = new SourceChange(file, List.of(replacements));
    }

    public SourceChange change() {
        return change;
    }
}
