package io.raftlock.chaos.checker;

import java.util.ArrayList;
import java.util.List;

/** Collects what one check finds. Owned by the check that made it. */
final class Findings {
    private static final int MOST_KEPT = 50;

    private final int invariant;
    private final String of;
    private final List<Violation> violations = new ArrayList<>();
    private final List<String> undecided = new ArrayList<>();
    private long found;
    private long lookedAt;

    Findings(int invariant, String of) {
        this.invariant = invariant;
        this.of = of;
    }

    void look() {
        lookedAt++;
    }

    void look(long times) {
        lookedAt += times;
    }

    void add(String what) {
        add(what, Violation.NO_TIME, List.of());
    }

    void add(String what, long atNanos, List<Long> calls) {
        found++;
        if (violations.size() < MOST_KEPT) {
            violations.add(new Violation(invariant, what, atNanos, calls));
        }
    }

    void undecided(String what) {
        if (undecided.size() < MOST_KEPT) {
            undecided.add(what);
        }
    }

    Checked done() {
        return new Checked(violations, found, lookedAt, of, undecided);
    }
}
