package io.raftlock.chaos.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the checks of a run came to.
 *
 * @param verdict PASSED, FAILED or INVALID
 * @param invalidBecause why the run says nothing; empty unless it is INVALID
 * @param skipped what the run did not do
 * @param facts of the host, the cluster and the run, by name, in the order for readers
 */
public record Findings(
        String verdict,
        List<CheckLine> checks,
        List<String> invalidBecause,
        List<Skipped> skipped,
        Map<String, String> facts) {
    /** Name of the fact by which the bounds of the faults are multiplied, a plain number. */
    public static final String SLOWNESS = "slowness factor";

    public Findings {
        checks = List.copyOf(checks);
        invalidBecause = List.copyOf(invalidBecause);
        skipped = List.copyOf(skipped);
        facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
    }

    /** Returns the findings of all checks, in the order of the checks. */
    public List<Finding> all() {
        List<Finding> all = new ArrayList<>();
        checks.forEach(check -> all.addAll(check.findings()));
        return all;
    }

    /** Returns by what the bounds are multiplied: 1 if the facts do not say. */
    double slowness() {
        String stated = facts.getOrDefault(SLOWNESS, "1");
        try {
            return Double.parseDouble(stated);
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException(SLOWNESS + " is no number: " + stated, notANumber);
        }
    }
}
