package io.raftlock.chaos.checker;

import java.util.ArrayList;
import java.util.List;

/**
 * What all checks say of a run.
 *
 * @param results in the order of {@link Checks#ALL}
 */
public record Judgement(Verdict verdict, List<Result> results, Validity validity) {
    /** What one check says. */
    public record Result(Check check, Checked checked) {
        @Override
        public String toString() {
            return "invariant %d %s: %s".formatted(check.invariant(), check.title(), checked);
        }
    }

    public Judgement {
        results = List.copyOf(results);
    }

    /** Runs all checks. */
    public static Judgement of(Evidence evidence) {
        List<Result> results = new ArrayList<>();
        for (Check check : Checks.ALL) {
            results.add(new Result(check, check.look(evidence)));
        }
        Validity validity = Validity.of(evidence);
        boolean broken = results.stream().anyMatch(result -> !result.checked().passed());
        return new Judgement(Verdict.of(broken, validity.isValid()), results, validity);
    }

    /** Returns what is broken, in the order of the invariants. */
    public List<Violation> violations() {
        return results.stream().flatMap(result -> result.checked().violations().stream()).toList();
    }
}
