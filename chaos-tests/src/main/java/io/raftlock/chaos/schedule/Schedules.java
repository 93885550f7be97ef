package io.raftlock.chaos.schedule;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.sessions.JqwikSession;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Draws schedules from seeds. Each run has its own choice of kinds: a run with few of them gets
 * deeper into what these do together than one in which everything happens once (swarm testing, as
 * in TigerBeetle's simulator).
 */
public final class Schedules {
    private static final int LEAST_KINDS = 4;
    private static final int RECOVERY_MILLIS = 4_000;
    private static final int OVERLAP_PERCENT = 25;

    private Schedules() {}

    /**
     * Draws a schedule.
     *
     * @param possible kinds that the host can do
     * @param millis that the steps fill, more or less
     */
    public static Schedule draw(
            long seed, int nodes, List<String> clients, Set<FaultKind> possible, long millis) {
        Schedule empty = new Schedule(seed, nodes, clients, List.of());
        List<Step> steps = new ArrayList<>();
        JqwikSession.run(() -> fill(empty, steps, possible, millis));
        return empty.with(steps);
    }

    private static void fill(
            Schedule empty, List<Step> steps, Set<FaultKind> possible, long millis) {
        Random random = new Random(empty.seed());
        List<FaultKind> all = possible.stream().sorted().toList();
        Arbitrary<List<FaultKind>> subsets =
                Arbitraries.of(all)
                        .list()
                        .uniqueElements()
                        .ofMinSize(Math.min(LEAST_KINDS, all.size()))
                        .ofMaxSize(all.size());
        Arbitrary<Step> kinds = step(drawn(subsets, random));
        while (empty.with(steps).lengthMillis() < millis) {
            steps.add(next(steps, drawn(kinds, random), random));
        }
    }

    private static <T> T drawn(Arbitrary<T> arbitrary, Random random) {
        return arbitrary.generator(1_000, false).next(random).value();
    }

    /** Most steps wait until the one before is over, and some come while it lasts. */
    private static Step next(List<Step> before, Step drawn, Random random) {
        if (before.isEmpty()) {
            return drawn;
        }
        Step last = before.get(before.size() - 1);
        boolean mayOverlap = !(last.kind().isOfDisks() && drawn.kind().isOfDisks());
        if (mayOverlap && random.nextInt(100) < OVERLAP_PERCENT) {
            return drawn.after(random.nextInt(last.holdMillis() + 1));
        }
        return drawn.after(last.holdMillis() + RECOVERY_MILLIS);
    }

    private static Arbitrary<Step> step(List<FaultKind> kinds) {
        return Arbitraries.of(kinds)
                .flatMap(
                        kind ->
                                Combinators.combine(
                                                Arbitraries.of(kind.roles()),
                                                holds(kind),
                                                amounts(kind),
                                                Arbitraries.integers().between(0, 9))
                                        .as(
                                                (role, hold, amount, pick) ->
                                                        new Step(
                                                                0, kind, role, hold, amount,
                                                                pick)));
    }

    private static Arbitrary<Integer> holds(FaultKind kind) {
        return switch (kind) {
            case PAUSE, FREEZE -> Arbitraries.integers().between(200, 8_000);
            case RESET -> Arbitraries.integers().between(100, 500);
            case STALL_DISK -> Arbitraries.integers().between(1_000, 6_000);
            case CLIENT_CUT, JAM, SWIZZLE -> Arbitraries.integers().between(3_000, 8_000);
            case SNAPSHOT_INSTALL -> Arbitraries.integers().between(12_000, 14_000);
            case KILL,
                    STOP,
                    POWER_CUT,
                    SYNC_ERROR,
                    DISK_FULL,
                    DEAD_DISK,
                    CLIENT_KILL,
                    CLIENT_STOP,
                    CLOCK_EPOCH ->
                    Arbitraries.integers().between(500, 4_000);
            case ISOLATE,
                    HALVES,
                    BRIDGE,
                    RING,
                    DEAF,
                    MUTE,
                    ONE_WAY,
                    STRAND,
                    RESET_STORM,
                    LOSS,
                    DUPLICATE,
                    DELAY,
                    THROTTLE,
                    WALL_JUMP,
                    WALL_STROBE,
                    CLOCK_RATE,
                    CLOCK_JUMP,
                    STARVE,
                    SLOW_DISK ->
                    Arbitraries.integers().between(2_000, 6_000);
        };
    }

    private static Arbitrary<Integer> amounts(FaultKind kind) {
        return switch (kind) {
            case LOSS -> Arbitraries.integers().between(1, 30);
            case DUPLICATE -> Arbitraries.integers().between(5, 50);
            case DELAY -> Arbitraries.integers().between(10, 200);
            case THROTTLE -> Arbitraries.integers().between(16, 256);
            case WALL_JUMP -> Arbitraries.of(-3_600_000, -5_000, 5_000, 300_000, 86_400_000);
            case WALL_STROBE -> Arbitraries.integers().between(200, 60_000);
            case CLOCK_RATE -> Arbitraries.of(-500, -200, 200, 500, 1_000);
            case CLOCK_JUMP, CLOCK_EPOCH -> Arbitraries.integers().between(1_000, 20_000);
            case STARVE -> Arbitraries.integers().between(3, 10);
            case SLOW_DISK -> Arbitraries.integers().between(20, 500);
            case KILL,
                    STOP,
                    PAUSE,
                    FREEZE,
                    ISOLATE,
                    HALVES,
                    BRIDGE,
                    RING,
                    DEAF,
                    MUTE,
                    ONE_WAY,
                    STRAND,
                    RESET,
                    RESET_STORM,
                    JAM,
                    SWIZZLE,
                    STALL_DISK,
                    SYNC_ERROR,
                    DISK_FULL,
                    DEAD_DISK,
                    POWER_CUT,
                    SNAPSHOT_INSTALL,
                    CLIENT_KILL,
                    CLIENT_STOP,
                    CLIENT_CUT ->
                    Arbitraries.just(0);
        };
    }
}
