package io.raftlock.chaos.checker;

import io.raftlock.chaos.history.Event.Action;
import io.raftlock.chaos.history.Operation;
import io.raftlock.chaos.ledger.Held;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A token is the position of its grant, and higher than all before of its lock: in the log, and in
 * what clients were told, by their clock.
 */
final class TokenCheck implements Check {
    @Override
    public int invariant() {
        return 3;
    }

    @Override
    public String title() {
        return "tokens";
    }

    @Override
    public String description() {
        return "a token is its grant's position, given once, and higher than all before it";
    }

    @Override
    public Checked look(Evidence evidence) {
        Findings findings = new Findings(invariant(), "grants");
        evidence.ledger().holds().values().forEach(holds -> checkLog(holds, findings));
        evidence.history().byLock().values().forEach(calls -> checkTold(calls, findings));
        evidence.history().operations().stream()
                .filter(call -> call.action() == Action.REENTER)
                .forEach(call -> checkReentered(call, findings));
        return findings.done();
    }

    static void checkLog(List<Held> inOrder, Findings findings) {
        long highest = 0;
        for (Held held : inOrder) {
            findings.look();
            if (held.token() != held.granted()) {
                findings.add(
                        "the %s was granted at position %d".formatted(held, held.granted()),
                        Violation.NO_TIME,
                        List.of(held.call()));
            }
            if (held.token() <= highest) {
                findings.add(
                        "the %s comes after token %d".formatted(held, highest),
                        Violation.NO_TIME,
                        List.of(held.call()));
            }
            highest = Math.max(highest, held.token());
        }
    }

    private static void checkTold(List<Operation> calls, Findings findings) {
        List<Operation> granted =
                calls.stream()
                        .filter(call -> call.isAcquire() && call.isOk())
                        .sorted(Comparator.comparingLong(Operation::token))
                        .toList();
        findings.look(granted.size());
        Map<Long, Operation> byToken = new HashMap<>();
        Operation latest = null;
        for (Operation call : granted) {
            Operation same = byToken.putIfAbsent(call.token(), call);
            if (same != null) {
                report("both %s and %s were told token %d", call, same, findings);
            }
            if (latest != null && call.returnedNanos() < latest.invokedNanos()) {
                report(
                        "%s returned before %s began, but has a higher token, %d",
                        call, latest, findings);
            }
            if (latest == null || call.invokedNanos() > latest.invokedNanos()) {
                latest = call;
            }
        }
    }

    private static void report(String text, Operation one, Operation two, Findings findings) {
        findings.add(
                text.formatted(one, two, one.token()),
                one.returnedNanos(),
                List.of(one.call(), two.call()));
    }

    private static void checkReentered(Operation call, Findings findings) {
        findings.look();
        if (call.isOk() && call.token() != call.invoked().token()) {
            findings.add(
                    "%s changed its token from %d to %d"
                            .formatted(call, call.invoked().token(), call.token()),
                    call.returnedNanos(),
                    List.of(call.call()));
        }
    }
}
