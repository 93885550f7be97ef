package io.raftlock.chaos.checker;

import io.raftlock.chaos.checker.LogPlaces.Placed;
import io.raftlock.chaos.history.Operation;
import io.raftlock.chaos.ledger.Held;

import java.util.List;

/**
 * The log as witness: if a call had returned before another began, its place in the log is before
 * the other's; and clients were told what a replay of the log says. Then the order of the log is a
 * linearization, over all locks at once.
 *
 * <p>A timed wait that was given up has no place, as its answer says nothing about the lock. A call
 * without an answer has a place and no end.
 */
final class LogOrderCheck implements Check {
    @Override
    public int invariant() {
        return 2;
    }

    @Override
    public String title() {
        return "answers fit the log";
    }

    @Override
    public String description() {
        return "the log's order respects real time, and its replay gives the same answers";
    }

    @Override
    public Checked look(Evidence evidence) {
        Findings findings = new Findings(invariant(), "places in the log");
        List<Placed> placed = LogPlaces.of(evidence);
        findings.look(placed.size());
        checkRealTime(placed, findings);
        evidence.history().operations().stream()
                .filter(call -> call.isAcquire() && call.isOk())
                .forEach(call -> checkToken(call, evidence, findings));
        return findings.done();
    }

    static void checkRealTime(List<Placed> inOrder, Findings findings) {
        Placed latest = null;
        for (int from = 0; from < inOrder.size(); ) {
            int to = from;
            while (to < inOrder.size()
                    && inOrder.get(to).position() == inOrder.get(from).position()) {
                Placed each = inOrder.get(to++);
                if (latest == null || begin(each) > begin(latest)) {
                    latest = each;
                }
            }
            for (Placed each : inOrder.subList(from, to)) {
                if (latest != null && each.settledNanos() < begin(latest)) {
                    report(each, latest, findings);
                }
            }
            from = to;
        }
    }

    private static long begin(Placed placed) {
        return placed.call().invokedNanos();
    }

    private static void report(Placed early, Placed late, Findings findings) {
        findings.add(
                "%s had returned before %s began, but is not before it in the log (%d, %d)"
                        .formatted(early.call(), late.call(), early.position(), late.position()),
                early.settledNanos(),
                List.of(early.call().call(), late.call().call()));
    }

    private static void checkToken(Operation call, Evidence evidence, Findings findings) {
        List<Held> holds = evidence.holdsOf(call);
        boolean told = holds.stream().anyMatch(held -> held.token() == call.token());
        if (!holds.isEmpty() && !told) {
            findings.add(
                    "%s was told token %d, but a replay of the log says %d"
                            .formatted(call, call.token(), holds.get(0).token()),
                    call.returnedNanos(),
                    List.of(call.call()));
        }
    }
}
