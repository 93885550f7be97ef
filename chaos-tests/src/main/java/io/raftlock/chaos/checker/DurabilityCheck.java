package io.raftlock.chaos.checker;

import io.raftlock.chaos.history.Event.Action;
import io.raftlock.chaos.history.Event.Returned;
import io.raftlock.chaos.history.Operation;
import io.raftlock.chaos.ledger.Held;

import java.util.List;

/** Each grant and each release that a client was told of is in the committed log. */
final class DurabilityCheck implements Check {
    @Override
    public int invariant() {
        return 5;
    }

    @Override
    public String title() {
        return "durability";
    }

    @Override
    public String description() {
        return "every grant and release that a client was told of is in the committed log";
    }

    @Override
    public Checked look(Evidence evidence) {
        Findings findings = new Findings(invariant(), "acknowledged effects");
        for (Operation call : evidence.history().operations()) {
            if (call.isOk() && call.isAcquire()) {
                findings.look();
                checkGrant(call, evidence, findings);
            } else if (call.isOk() && call.action() == Action.RELEASE) {
                findings.look();
                checkRelease(call, evidence, findings);
            } else if (call.isOk() && call.action() == Action.RETRY) {
                findings.look();
                checkRetry(call, evidence, findings);
            }
        }
        return findings.done();
    }

    private static void checkGrant(Operation call, Evidence evidence, Findings findings) {
        Held held = evidence.ledger().hold(call.lock(), call.token());
        if (held == null) {
            lost("%s was granted token %d, but the log has no such grant", call, findings);
        } else if (!evidence.holdsOf(call).contains(held)) {
            lost("%s was granted token %d, but the log gives it to another call", call, findings);
        }
    }

    private static void checkRelease(Operation call, Evidence evidence, Findings findings) {
        if (LogPlaces.released(call.lock(), call.token(), evidence) == null) {
            lost(
                    "%s of token %d was acknowledged, but the log has no such release",
                    call, findings);
        }
    }

    /** A retry of an acquire was told its token; one of a release was told none. */
    private static void checkRetry(Operation call, Evidence evidence, Findings findings) {
        Returned returned = call.returned();
        boolean granted = returned != null && returned.token() != 0;
        if (!granted && call.token() != 0) {
            checkRelease(call, evidence, findings);
        } else if (granted && evidence.ledger().hold(call.lock(), call.token()) == null) {
            lost("%s was told token %d, but the log has no such grant", call, findings);
        }
    }

    private static void lost(String text, Operation call, Findings findings) {
        findings.add(
                text.formatted(call, call.token()), call.returnedNanos(), List.of(call.call()));
    }
}
