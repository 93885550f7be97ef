package io.raftlock.chaos.checker;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.Event.NodeSeen;
import io.raftlock.chaos.history.FaultInterval;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A term has one leader at most, and no node forgets a term, unless its disk was taken. */
final class TermCheck implements Check {
    private static final String LEADER = "LEADER";

    @Override
    public int invariant() {
        return 9;
    }

    @Override
    public String title() {
        return "terms";
    }

    @Override
    public String description() {
        return "at most one leader in a term, and a node's term never falls";
    }

    @Override
    public Checked look(Evidence evidence) {
        Findings findings = new Findings(invariant(), "sights of nodes");
        Map<Long, NodeSeen> leaders = new HashMap<>();
        Map<String, Long> terms = new HashMap<>();
        for (Event event : evidence.history().events()) {
            if (event instanceof Event.FaultBegan began
                    && evidence.settings().kinds().wiping().contains(began.kind())) {
                new FaultInterval(began, null).targets().forEach(terms::remove);
            } else if (event instanceof NodeSeen seen) {
                findings.look();
                checkLeader(seen, leaders, findings);
                checkTerm(seen, terms, findings);
            }
        }
        return findings.done();
    }

    private static void checkLeader(NodeSeen seen, Map<Long, NodeSeen> leaders, Findings findings) {
        if (!seen.role().equals(LEADER)) {
            return;
        }
        NodeSeen other = leaders.putIfAbsent(seen.term(), seen);
        if (other != null && !other.node().equals(seen.node())) {
            findings.add(
                    "%s and %s both led in term %d"
                            .formatted(other.node(), seen.node(), seen.term()),
                    seen.atNanos(),
                    List.of());
        }
    }

    private static void checkTerm(NodeSeen seen, Map<String, Long> terms, Findings findings) {
        long before = terms.getOrDefault(seen.node(), 0L);
        // A node that has just started, and heard of no leader, says 0.
        if (seen.term() < before && seen.term() != 0) {
            findings.add(
                    "%s's term fell from %d to %d".formatted(seen.node(), before, seen.term()),
                    seen.atNanos(),
                    List.of());
        }
        terms.put(seen.node(), Math.max(before, seen.term()));
    }
}
