package io.raftlock.chaos.checker;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * The bounds of a run, and what its faults excuse. Kinds of faults are named as in the schedule.
 *
 * @param clientClockKinds that change the rate of a clock of the client that is their target: what
 *     that client believes is not bounded then. A pause is no excuse, as a belief is dated before
 *     the guard was asked
 * @param nodeClockKinds that change the rate of a node's clock: how long sessions and leases last
 *     is not bounded then
 * @param afterFault for how long an excuse goes on after its fault
 * @param wipingKinds that take the disk of the node that is their target
 * @param leaderKinds that are meant to change the leader
 * @param gap longest time without an OK answer in and after a fault
 * @param gapByStep the same for some steps of the schedule by their numbers, instead of {@code gap}
 * @param recovery for how long after a fault its gap is looked for
 * @param answer longest time that a call may take
 * @param ttlSlackPercent of a TTL by which clocks may differ
 * @param wgl how much the search for a linearization may do
 * @param voidPercent of the steps that may be without proof
 */
public record CheckSettings(
        Set<String> clientClockKinds,
        Set<String> nodeClockKinds,
        Duration afterFault,
        Set<String> wipingKinds,
        Set<String> leaderKinds,
        Duration gap,
        Map<Integer, Duration> gapByStep,
        Duration recovery,
        Duration answer,
        int ttlSlackPercent,
        WglBudget wgl,
        int voidPercent) {

    /**
     * How much the search may do.
     *
     * @param locks at most so many, those with the most calls
     * @param calls at most so many of each lock, from the beginning of the run
     * @param steps at most so many for each lock
     */
    public record WglBudget(int locks, int calls, long steps) {}

    /** Without faults that excuse anything, and with bounds for a slow machine. */
    public static final CheckSettings DEFAULT =
            new CheckSettings(
                    Set.of(),
                    Set.of(),
                    Duration.ofSeconds(10),
                    Set.of(),
                    Set.of(),
                    Duration.ofSeconds(20),
                    Map.of(),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(120),
                    2,
                    new WglBudget(8, 200_000, 1_000_000),
                    25);

    public CheckSettings {
        clientClockKinds = Set.copyOf(clientClockKinds);
        nodeClockKinds = Set.copyOf(nodeClockKinds);
        wipingKinds = Set.copyOf(wipingKinds);
        leaderKinds = Set.copyOf(leaderKinds);
        gapByStep = Map.copyOf(gapByStep);
    }

    /** Returns the same bounds with other kinds of faults that change clocks. */
    public CheckSettings withClockKinds(Set<String> ofClients, Set<String> ofNodes) {
        return new CheckSettings(
                ofClients,
                ofNodes,
                afterFault,
                wipingKinds,
                leaderKinds,
                gap,
                gapByStep,
                recovery,
                answer,
                ttlSlackPercent,
                wgl,
                voidPercent);
    }

    /** Returns the same bounds with other kinds of faults that wipe disks or aim at the leader. */
    public CheckSettings withKinds(Set<String> wiping, Set<String> aimedAtLeader) {
        return new CheckSettings(
                clientClockKinds,
                nodeClockKinds,
                afterFault,
                wiping,
                aimedAtLeader,
                gap,
                gapByStep,
                recovery,
                answer,
                ttlSlackPercent,
                wgl,
                voidPercent);
    }

    /** Returns the same with other bounds of time. */
    public CheckSettings withBounds(
            Duration longestGap, Map<Integer, Duration> byStep, Duration longestAnswer) {
        return new CheckSettings(
                clientClockKinds,
                nodeClockKinds,
                afterFault,
                wipingKinds,
                leaderKinds,
                longestGap,
                byStep,
                recovery,
                longestAnswer,
                ttlSlackPercent,
                wgl,
                voidPercent);
    }
}
