package io.raftlock.chaos.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Leaves steps out of a schedule that fails for as long as it still fails (delta debugging, Zeller
 * and Hildebrandt 2002). A cluster is not deterministic, so what does not fail once may fail the
 * next time: the predicate has to run it as often as it wants to know.
 */
public final class Shrinker {
    private static final int FIRST_TRY = 3;

    private Shrinker() {}

    /**
     * Returns as few steps as were found to fail, in their order.
     *
     * @param failing steps that failed
     * @param fails whether the cluster fails with these steps
     * @param isOver whether there is no time left for another try
     */
    public static List<Step> shrink(
            List<Step> failing, Predicate<List<Step>> fails, BooleanSupplier isOver) {
        List<Step> smallest = failing;
        int pieces = 2;
        while (smallest.size() >= 2 && !isOver.getAsBoolean()) {
            List<Step> smaller = firstThatFails(candidates(smallest, pieces), fails, isOver);
            if (!smaller.isEmpty()) {
                pieces = Math.max(2, Math.min(pieces - 1, smaller.size()));
                smallest = smaller;
            } else if (pieces >= smallest.size()) {
                break;
            } else {
                pieces = Math.min(smallest.size(), pieces * 2);
            }
        }
        return smallest;
    }

    /**
     * Returns what to try first: the last steps of those that had begun when something was broken,
     * three and then twice as many each time, and all of them in the end. What breaks a promise is
     * mostly what has just happened.
     */
    public static List<List<Step>> lastOf(List<Step> begun) {
        List<List<Step>> tries = new ArrayList<>();
        for (int steps = FIRST_TRY; steps < begun.size(); steps *= 2) {
            tries.add(begun.subList(begun.size() - steps, begun.size()));
        }
        tries.add(begun);
        return tries;
    }

    private static List<Step> firstThatFails(
            List<List<Step>> candidates, Predicate<List<Step>> fails, BooleanSupplier isOver) {
        for (List<Step> candidate : candidates) {
            if (isOver.getAsBoolean()) {
                return List.of();
            }
            if (fails.test(candidate)) {
                return candidate;
            }
        }
        return List.of();
    }

    /** Each piece alone, and then all but each piece; the smaller ones first. */
    private static List<List<Step>> candidates(List<Step> steps, int pieces) {
        List<List<Step>> alone = new ArrayList<>();
        List<List<Step>> without = new ArrayList<>();
        for (int piece = 0; piece < pieces; piece++) {
            int from = steps.size() * piece / pieces;
            int to = steps.size() * (piece + 1) / pieces;
            alone.add(steps.subList(from, to));
            List<Step> rest = new ArrayList<>(steps.subList(0, from));
            rest.addAll(steps.subList(to, steps.size()));
            without.add(rest);
        }
        if (pieces > 2) {
            alone.addAll(without);
        }
        return alone;
    }
}
