package io.raftlock.chaos.run;

import io.raftlock.chaos.checker.Judgement;
import io.raftlock.chaos.checker.Violation;
import io.raftlock.chaos.history.Stalls;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The few lines that say why a run came to what it came to, for a message that may be cut off. */
final class Brief {
    private static final int MOST_VIOLATIONS = 4;
    private static final int MOST_REASONS = 2;
    private static final int LONGEST_LINE = 300;

    private Brief() {}

    /**
     * Returns them, the verdict on the first.
     *
     * @param broken numbers of the invariants that did not hold
     */
    static String of(Judgement judgement, Set<Integer> broken, Stalls stalls, Path folder) {
        List<String> lines = new ArrayList<>();
        lines.add("%s, broken invariants %s, in %s".formatted(judgement.verdict(), broken, folder));
        List<Judgement.Result> failed =
                judgement.results().stream().filter(each -> !each.checked().passed()).toList();
        int each = Math.max(1, MOST_VIOLATIONS / Math.max(1, failed.size()));
        failed.stream().limit(MOST_VIOLATIONS).forEach(check -> addFirst(check, each, lines));
        judgement.validity().reasons().stream()
                .limit(MOST_REASONS)
                .forEach(reason -> lines.add(line("proves nothing: " + reason)));
        lines.add(line("the machine stood still: " + stalls));
        return String.join("\n", lines);
    }

    private static void addFirst(Judgement.Result check, int most, List<String> lines) {
        check.checked().violations().stream()
                .limit(most)
                .map(violation -> text(check, violation))
                .forEach(lines::add);
    }

    private static String text(Judgement.Result check, Violation violation) {
        return line(
                "%d %s (%,d found): %s"
                        .formatted(
                                check.check().invariant(),
                                check.check().title(),
                                check.checked().found(),
                                violation.what()));
    }

    private static String line(String text) {
        String flat = text.replaceAll("\\s+", " ");
        return "  "
                + (flat.length() > LONGEST_LINE ? flat.substring(0, LONGEST_LINE) + "..." : flat);
    }
}
