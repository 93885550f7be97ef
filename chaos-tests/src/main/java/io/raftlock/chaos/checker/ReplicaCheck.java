package io.raftlock.chaos.checker;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.Event.NodeSeen;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All nodes apply the same entries and come to the same state, which is that of a clean state
 * machine; and what a node has applied it does not take back while it lives.
 */
final class ReplicaCheck implements Check {
    @Override
    public int invariant() {
        return 8;
    }

    @Override
    public String title() {
        return "replicas agree";
    }

    @Override
    public String description() {
        return "equal entries and equal states at equal indexes, as a clean replay has them";
    }

    @Override
    public Checked look(Evidence evidence) {
        Findings findings = new Findings(invariant(), "journal records and digests");
        findings.look(evidence.ledger().records());
        evidence.ledger().disagreements().forEach(each -> findings.add(each.toString()));
        evidence.ledger().disorder().forEach(findings::add);
        evidence.ledger().unreadable().forEach(findings::add);
        checkDigests(evidence, findings);
        checkIndexes(evidence, findings);
        return findings.done();
    }

    private static void checkDigests(Evidence evidence, Findings findings) {
        Map<Long, NodeSeen> byIndex = new HashMap<>();
        evidence.history()
                .all(NodeSeen.class)
                .filter(seen -> !seen.digest().isEmpty())
                .forEach(
                        seen -> {
                            findings.look();
                            checkClean(seen, evidence, findings);
                            NodeSeen other = byIndex.putIfAbsent(seen.appliedIndex(), seen);
                            if (other != null && !other.digest().equals(seen.digest())) {
                                report(
                                        seen,
                                        "%s's state at index %d is not %s's"
                                                .formatted(
                                                        seen.node(),
                                                        seen.appliedIndex(),
                                                        other.node()),
                                        findings);
                            }
                        });
    }

    private static void checkClean(NodeSeen seen, Evidence evidence, Findings findings) {
        String clean = evidence.ledger().digestAt(seen.appliedIndex()).orElse(seen.digest());
        if (!clean.equals(seen.digest())) {
            report(
                    seen,
                    "%s's state at index %d is not that of a clean replay (%s, %s)"
                            .formatted(seen.node(), seen.appliedIndex(), seen.digest(), clean),
                    findings);
        }
    }

    private static void checkIndexes(Evidence evidence, Findings findings) {
        Map<String, Long> applied = new HashMap<>();
        for (Event event : evidence.history().events()) {
            if (event instanceof Event.NodeStarted started) {
                applied.remove(started.node());
            } else if (event instanceof NodeSeen seen) {
                long before = applied.getOrDefault(seen.node(), 0L);
                if (seen.appliedIndex() < before) {
                    report(
                            seen,
                            "%s had applied index %d, and later in the same life %d"
                                    .formatted(seen.node(), before, seen.appliedIndex()),
                            findings);
                }
                applied.put(seen.node(), Math.max(before, seen.appliedIndex()));
            }
        }
    }

    private static void report(NodeSeen seen, String what, Findings findings) {
        findings.add(what, seen.atNanos(), List.of());
    }
}
