package io.raftlock.chaos.checker;

import io.raftlock.chaos.ledger.Held;

import java.util.List;

/** At no position of the log does a lock have two holds. */
final class LogExclusionCheck implements Check {
    @Override
    public int invariant() {
        return 1;
    }

    @Override
    public String title() {
        return "exclusion";
    }

    @Override
    public String description() {
        return "at no position of the log does a lock have two owners";
    }

    @Override
    public Checked look(Evidence evidence) {
        Findings findings = new Findings(invariant(), "holds");
        evidence.ledger().holds().values().forEach(holds -> look(holds, findings));
        evidence.ledger().oddities().forEach(findings::add);
        return findings.done();
    }

    static void look(List<Held> inOrder, Findings findings) {
        Held longest = null;
        for (Held held : inOrder) {
            findings.look();
            if (longest != null && held.granted() < longest.ended()) {
                findings.add(
                        "the %s begins within the %s".formatted(held, longest),
                        Violation.NO_TIME,
                        List.of(held.call(), longest.call()));
            }
            if (longest == null || held.ended() > longest.ended()) {
                longest = held;
            }
        }
    }
}
