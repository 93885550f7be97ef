package io.raftlock.chaos.checker;

import io.raftlock.chaos.history.Hold;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * Checks of holds, each exact: what they report did happen, and what they check for and do not
 * report did not. That needs no search, as every hold has a token and an interval in real time.
 */
public final class HoldChecks {
    private static final Comparator<Hold> BY_GRANT =
            Comparator.comparingLong(Hold::grantedNanos).thenComparingLong(Hold::token);

    private HoldChecks() {}

    /** Finds holds of one name that overlap in time. */
    public static List<Violation> mutualExclusion(List<Hold> holds) {
        List<Violation> found = new ArrayList<>();
        byName(holds).values().forEach(ofName -> findOverlaps(ofName, found));
        return found;
    }

    /** Finds grants of one name whose token is not greater than that of the grant before. */
    public static List<Violation> increasingTokens(List<Hold> holds) {
        List<Violation> found = new ArrayList<>();
        byName(holds).values().forEach(ofName -> findRegressions(ofName, found));
        return found;
    }

    /**
     * Returns the longest time, of those that begin at that moment or later, in which no client got
     * a lock: for how long the service was gone, if clients wanted locks all the time.
     */
    public static Duration longestGap(List<Hold> holds, long fromNanos) {
        long[] grants =
                LongStream.concat(
                                LongStream.of(fromNanos),
                                holds.stream().mapToLong(Hold::grantedNanos))
                        .filter(nanos -> nanos >= fromNanos)
                        .sorted()
                        .toArray();
        long longest = 0;
        for (int i = 1; i < grants.length; i++) {
            longest = Math.max(longest, grants[i] - grants[i - 1]);
        }
        return Duration.ofNanos(longest);
    }

    private static void findOverlaps(List<Hold> inOrder, List<Violation> found) {
        Hold longest = inOrder.get(0);
        for (Hold hold : inOrder.subList(1, inOrder.size())) {
            if (hold.grantedNanos() < longest.endedNanos()) {
                found.add(
                        new Violation(
                                "two owners of %s: %s was granted while %s held it"
                                        .formatted(hold.name(), text(hold), text(longest))));
            }
            if (hold.endedNanos() > longest.endedNanos()) {
                longest = hold;
            }
        }
    }

    private static void findRegressions(List<Hold> inOrder, List<Violation> found) {
        for (int i = 1; i < inOrder.size(); i++) {
            Hold before = inOrder.get(i - 1);
            Hold hold = inOrder.get(i);
            if (hold.token() <= before.token()) {
                found.add(
                        new Violation(
                                "tokens of %s do not increase: %s came after %s"
                                        .formatted(hold.name(), text(hold), text(before))));
            }
        }
    }

    private static Map<String, List<Hold>> byName(List<Hold> holds) {
        Map<String, List<Hold>> byName = new TreeMap<>();
        holds.stream()
                .sorted(BY_GRANT)
                .forEach(
                        hold ->
                                byName.computeIfAbsent(hold.name(), name -> new ArrayList<>())
                                        .add(hold));
        return byName;
    }

    private static String text(Hold hold) {
        return "%s's hold with token %d".formatted(hold.client(), hold.token());
    }
}
