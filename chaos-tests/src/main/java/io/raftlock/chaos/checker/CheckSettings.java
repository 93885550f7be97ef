package io.raftlock.chaos.checker;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * The bounds of a run, and what its faults excuse.
 *
 * @param wgl how much the search for a linearization may do
 * @param ttlSlackPercent of a TTL by which clocks may differ
 * @param voidPercent of the steps that may be without proof
 */
public record CheckSettings(
        Kinds kinds, Times times, WglBudget wgl, int ttlSlackPercent, int voidPercent) {

    /**
     * Kinds of faults that matter to checks, named as in the schedule.
     *
     * @param clientClocks that change the rate of a clock of the client that is their target: what
     *     that client believes is not bounded then. A pause is no excuse, as a belief is dated
     *     before the guard was asked
     * @param nodeClocks that change the rate of a node's clock: how long sessions and leases last
     *     is not bounded then
     * @param wiping that take the disk of the node that is their target
     * @param leaders that are meant to change the leader
     */
    public record Kinds(
            Set<String> clientClocks,
            Set<String> nodeClocks,
            Set<String> wiping,
            Set<String> leaders) {
        static final Kinds NONE = new Kinds(Set.of(), Set.of(), Set.of(), Set.of());

        public Kinds {
            clientClocks = Set.copyOf(clientClocks);
            nodeClocks = Set.copyOf(nodeClocks);
            wiping = Set.copyOf(wiping);
            leaders = Set.copyOf(leaders);
        }
    }

    /**
     * Bounds in time.
     *
     * @param afterFault for how long an excuse goes on after its fault
     * @param gap longest time without an OK answer in and after a fault
     * @param gapByStep the same for some steps of the schedule by their numbers, instead of {@code
     *     gap}
     * @param recovery for how long after a fault its gap is looked for
     * @param answer longest time that a call may take
     */
    public record Times(
            Duration afterFault,
            Duration gap,
            Map<Integer, Duration> gapByStep,
            Duration recovery,
            Duration answer) {
        public Times {
            gapByStep = Map.copyOf(gapByStep);
        }
    }

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
                    Kinds.NONE,
                    new Times(
                            Duration.ofSeconds(10),
                            Duration.ofSeconds(20),
                            Map.of(),
                            Duration.ofSeconds(5),
                            Duration.ofSeconds(120)),
                    new WglBudget(8, 200_000, 1_000_000),
                    2,
                    25);

    /** Returns the same bounds with other kinds of faults that change clocks. */
    public CheckSettings withClockKinds(Set<String> ofClients, Set<String> ofNodes) {
        return with(new Kinds(ofClients, ofNodes, kinds.wiping, kinds.leaders), times);
    }

    /** Returns the same bounds with other kinds of faults that wipe disks or aim at the leader. */
    public CheckSettings withKinds(Set<String> wiping, Set<String> aimedAtLeader) {
        return with(new Kinds(kinds.clientClocks, kinds.nodeClocks, wiping, aimedAtLeader), times);
    }

    /** Returns the same with other bounds of time. */
    public CheckSettings withBounds(
            Duration longestGap, Map<Integer, Duration> byStep, Duration longestAnswer) {
        return with(
                kinds,
                new Times(times.afterFault, longestGap, byStep, times.recovery, longestAnswer));
    }

    private CheckSettings with(Kinds otherKinds, Times otherTimes) {
        return new CheckSettings(otherKinds, otherTimes, wgl, ttlSlackPercent, voidPercent);
    }
}
