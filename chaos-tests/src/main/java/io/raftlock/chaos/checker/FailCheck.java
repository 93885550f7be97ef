package io.raftlock.chaos.checker;

import io.raftlock.chaos.history.Event.Action;
import io.raftlock.chaos.history.Event.Result;
import io.raftlock.chaos.history.Operation;
import io.raftlock.chaos.ledger.End;
import io.raftlock.chaos.ledger.Held;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What certainly failed had no lasting effect. A wait that was given up may have been granted too
 * late; then its client gives the lock back without having used it, or its session ends.
 */
final class FailCheck implements Check {
    @Override
    public int invariant() {
        return 7;
    }

    @Override
    public String title() {
        return "failed is failed";
    }

    @Override
    public String description() {
        return "a call that certainly failed leaves no hold, and a refused release no release";
    }

    private record Hold(String lock, long token) {}

    @Override
    public Checked look(Evidence evidence) {
        Findings findings = new Findings(invariant(), "failed calls");
        Set<Hold> releases = new HashSet<>();
        Set<Hold> alsoReleased = new HashSet<>();
        evidence.history().operations().stream()
                .filter(call -> call.action() == Action.RELEASE)
                .forEach(
                        call -> {
                            Hold hold = new Hold(call.lock(), call.token());
                            releases.add(hold);
                            if (call.result() != Result.FAIL) {
                                alsoReleased.add(hold);
                            }
                        });
        for (Operation call : evidence.history().operations()) {
            if (call.result() == Result.FAIL && call.isAcquire()) {
                findings.look();
                evidence.holdsOf(call)
                        .forEach(
                                held -> {
                                    boolean isUsed =
                                            releases.contains(new Hold(call.lock(), held.token()))
                                                    || !evidence.history()
                                                            .beliefs(call.call())
                                                            .isEmpty();
                                    checkGivenBack(call, held, isUsed, findings);
                                });
            } else if (call.result() == Result.FAIL && call.action() == Action.RELEASE) {
                findings.look();
                if (!alsoReleased.contains(new Hold(call.lock(), call.token()))) {
                    checkNotReleased(call, evidence, findings);
                }
            }
        }
        return findings.done();
    }

    /** A client gives a grant back by a cancel, or by a release that nobody asked it for. */
    private static void checkGivenBack(
            Operation call, Held held, boolean isUsed, Findings findings) {
        if (held.how() == End.NONE) {
            report("%s failed, but holds the lock with token %d to the end", call, held, findings);
        } else if (isUsed) {
            report("%s failed, but token %d was used", call, held, findings);
        }
    }

    private static void report(String text, Operation call, Held held, Findings findings) {
        findings.add(
                text.formatted(call, held.token()), call.returnedNanos(), List.of(call.call()));
    }

    private static void checkNotReleased(Operation call, Evidence evidence, Findings findings) {
        if (LogPlaces.released(call.lock(), call.token(), evidence) != null) {
            findings.add(
                    "%s of token %d failed, but the log has the release"
                            .formatted(call, call.token()),
                    call.returnedNanos(),
                    List.of(call.call()));
        }
    }
}
