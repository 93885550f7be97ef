package io.raftlock.chaos.checker;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.Event.NodeSeen;
import io.raftlock.chaos.history.Event.Phase;
import io.raftlock.chaos.history.Operation;
import io.raftlock.chaos.history.RunHistory;
import io.raftlock.chaos.ledger.End;
import io.raftlock.chaos.ledger.SessionLife;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * When all is over nobody holds or waits, and only clients that live have sessions: what each node
 * said last before the run stopped.
 */
final class LeakCheck implements Check {
    /** Workload of the clients that come last. */
    private static final String SWEEP = "SWEEP";

    @Override
    public int invariant() {
        return 12;
    }

    @Override
    public String title() {
        return "no leaks";
    }

    @Override
    public String description() {
        return "at the end there are no holds and no waiters, and no sessions of dead clients";
    }

    @Override
    public Checked look(Evidence evidence) {
        Findings findings = new Findings(invariant(), "nodes and sessions at the end");
        RunHistory history = evidence.history();
        OptionalLong began = history.beganNanos(Phase.FINAL);
        if (began.isPresent()) {
            long end = history.beganNanos(Phase.STOP).orElse(Long.MAX_VALUE);
            lastSights(history, began.getAsLong(), end)
                    .values()
                    .forEach(seen -> checkNode(seen, findings));
        }
        checkSessions(evidence, findings);
        checkSweep(history, findings);
        return findings.done();
    }

    /** Returns what each node said last in the final phase. */
    static Map<String, NodeSeen> lastSights(RunHistory history, long fromNanos, long toNanos) {
        Map<String, NodeSeen> last = new TreeMap<>();
        history.all(NodeSeen.class)
                .filter(seen -> seen.atNanos() >= fromNanos && seen.atNanos() <= toNanos)
                .forEach(seen -> last.put(seen.node(), seen));
        return last;
    }

    private static void checkNode(NodeSeen seen, Findings findings) {
        findings.look();
        if (seen.holds() != 0 || seen.waiters() != 0) {
            findings.add(
                    "at the end %s has %d holds and %d waiters"
                            .formatted(seen.node(), seen.holds(), seen.waiters()),
                    seen.atNanos(),
                    List.of());
        }
    }

    /** A client that comes when all others are gone gets each lock at once. */
    private static void checkSweep(RunHistory history, Findings findings) {
        Set<String> sweepers = new HashSet<>();
        history.all(Event.ClientStarted.class)
                .filter(started -> started.workload().equals(SWEEP))
                .forEach(started -> sweepers.add(started.client()));
        for (Operation call : history.operations()) {
            if (call.isAcquire() && sweepers.contains(call.client())) {
                findings.look();
                if (!call.isOk()) {
                    findings.add(
                            call + " found the lock taken, though nobody else is there",
                            call.returnedNanos(),
                            List.of(call.call()));
                }
            }
        }
    }

    /** A session that is open to the end belongs to a client that lived until shortly before. */
    private static void checkSessions(Evidence evidence, Findings findings) {
        Map<String, Long> ended = new HashMap<>();
        evidence.history()
                .all(Event.ClientEnded.class)
                .forEach(event -> ended.put(event.client(), event.atNanos()));
        long lastNanos =
                evidence.history().all(NodeSeen.class).mapToLong(Event::atNanos).max().orElse(0);
        long graceNanos = evidence.settings().times().afterFault().toNanos();
        for (SessionLife session : evidence.ledger().sessions().values()) {
            findings.look();
            Long endNanos = ended.get(session.client());
            long silentNanos = endNanos == null ? 0 : lastNanos - endNanos;
            if (session.how() == End.NONE
                    && silentNanos > session.ttlMillis() * 1_000_000 + graceNanos) {
                findings.add(
                        "%s is open, though its client ended %,d ms before; its TTL is %,d ms"
                                .formatted(session, silentNanos / 1_000_000, session.ttlMillis()),
                        lastNanos,
                        List.of());
            }
        }
    }
}
