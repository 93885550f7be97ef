package io.raftlock.chaos.checker;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.Event.Action;
import io.raftlock.chaos.history.Event.Returned;
import io.raftlock.chaos.history.Operation;
import io.raftlock.chaos.ledger.Held;
import io.raftlock.chaos.ledger.NumberedCommand;
import io.raftlock.protocol.ErrorCode;
import io.raftlock.server.lock.Outcome;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A request takes effect once at most, however often it was asked for; each time it is told the
 * same, or what has become of it since.
 */
final class ExactlyOnceCheck implements Check {
    /** Kind of the notes of a client that compared the answers of its retries. */
    private static final String UNEQUAL = "retry";

    @Override
    public int invariant() {
        return 6;
    }

    @Override
    public String title() {
        return "exactly once";
    }

    @Override
    public String description() {
        return "a request takes effect at most once, and a retry is told the same";
    }

    @Override
    public Checked look(Evidence evidence) {
        Findings findings = new Findings(invariant(), "requests");
        for (NumberedCommand request : evidence.ledger().requests()) {
            findings.look();
            checkAnswers(request, findings);
        }
        checkHolds(evidence, findings);
        checkReleases(evidence, findings);
        evidence.history().operations().stream()
                .filter(call -> call.action() == Action.RETRY && call.isOk())
                .forEach(call -> checkRetry(call, evidence, findings));
        evidence.history()
                .all(Event.Noted.class)
                .filter(noted -> noted.kind().equals(UNEQUAL))
                .forEach(noted -> findings.add(noted.text(), noted.atNanos(), List.of()));
        return findings.done();
    }

    private static void checkAnswers(NumberedCommand request, Findings findings) {
        List<NumberedCommand.Application> all = request.applications();
        for (int i = 1; i < all.size(); i++) {
            Outcome before = all.get(i - 1).outcome();
            Outcome after = all.get(i).outcome();
            if (!follows(before, after)) {
                findings.add(
                        "request %d of session %d was told %s at %d, and then %s at %d"
                                .formatted(
                                        request.number(),
                                        request.session(),
                                        before,
                                        all.get(i - 1).position(),
                                        after,
                                        all.get(i).position()),
                        Violation.NO_TIME,
                        request.call() == 0 ? List.of() : List.of(request.call()));
            }
        }
    }

    /** Whether a request that was told the one thing may later be told the other. */
    static boolean follows(Outcome before, Outcome after) {
        if (before.equals(after)
                || isRefused(after, ErrorCode.ALREADY_COMPLETED)
                || isRefused(after, ErrorCode.SESSION_EXPIRED)
                || isRefused(before, ErrorCode.TOO_MANY_REQUESTS)) {
            return true;
        }
        boolean claimed = before instanceof Outcome.Queued || before instanceof Outcome.Granted;
        return (before instanceof Outcome.Queued && after instanceof Outcome.Granted)
                || (claimed && isRefused(after, ErrorCode.CANCELLED));
    }

    private static boolean isRefused(Outcome outcome, ErrorCode code) {
        return outcome instanceof Outcome.Refused refused && refused.code() == code;
    }

    private static void checkHolds(Evidence evidence, Findings findings) {
        Map<Long, Held> byCall = new HashMap<>();
        evidence.ledger().holds().values().stream()
                .flatMap(List::stream)
                .filter(held -> held.call() != 0)
                .forEach(
                        held -> {
                            Held before = byCall.putIfAbsent(held.call(), held);
                            if (before != null) {
                                findings.add(
                                        "call %d was granted twice: %s and %s"
                                                .formatted(held.call(), before, held),
                                        Violation.NO_TIME,
                                        List.of(held.call()));
                            }
                        });
    }

    private record Hold(String lock, long token) {}

    /** A hold that was never entered again is released once; a second OK has freed another's. */
    private static void checkReleases(Evidence evidence, Findings findings) {
        Set<Hold> reentered = new HashSet<>();
        Set<Hold> released = new HashSet<>();
        for (Operation call : evidence.history().operations()) {
            Hold hold = new Hold(call.lock(), call.token());
            if (call.action() == Action.REENTER) {
                reentered.add(hold);
            } else if (call.action() == Action.RELEASE
                    && call.isOk()
                    && !released.add(hold)
                    && !reentered.contains(hold)) {
                findings.add(
                        "%s of token %d is the second that was told OK"
                                .formatted(call, call.token()),
                        call.returnedNanos(),
                        List.of(call.call()));
            }
        }
    }

    private static void checkRetry(Operation retry, Evidence evidence, Findings findings) {
        Optional<Operation> first = evidence.history().retriedBy(retry);
        Returned returned = retry.returned();
        long told = returned == null ? 0 : returned.token();
        if (first.isEmpty() || told == 0 || !first.get().isAcquire()) {
            return;
        }
        findings.look();
        long granted =
                first.get().isOk()
                        ? first.get().token()
                        : evidence.holdsOf(first.get()).stream()
                                .mapToLong(Held::token)
                                .findFirst()
                                .orElse(0);
        if (granted != told) {
            findings.add(
                    "%s was told token %d, but %s has token %d"
                            .formatted(retry, told, first.get(), granted),
                    retry.returnedNanos(),
                    List.of(retry.call(), first.get().call()));
        }
    }
}
