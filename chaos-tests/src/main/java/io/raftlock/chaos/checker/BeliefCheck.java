package io.raftlock.chaos.checker;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.Operation;
import io.raftlock.chaos.history.RunHistory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * No two clients' guards say at one time that they hold one lock: from the answer to an acquire to
 * the last moment at which the guard said so. Both ends are on the safe side whenever the client's
 * process stood still, so a pause excuses nothing; a clock of another rate does.
 */
final class BeliefCheck implements Check {
    @Override
    public int invariant() {
        return 11;
    }

    @Override
    public String title() {
        return "belief";
    }

    @Override
    public String description() {
        return "no two clients' guards say at one time that they hold one lock";
    }

    private record Belief(Operation call, long fromNanos, long toNanos) {}

    @Override
    public Checked look(Evidence evidence) {
        Findings findings = new Findings(invariant(), "holds as clients saw them");
        Excuses excuses = new Excuses(evidence);
        evidence.history()
                .byLock()
                .forEach(
                        (lock, calls) ->
                                findOverlaps(
                                        beliefs(calls, evidence.history()), excuses, findings));
        return findings.done();
    }

    private static List<Belief> beliefs(List<Operation> calls, RunHistory history) {
        List<Belief> beliefs = new ArrayList<>();
        for (Operation call : calls) {
            Event.Returned returned = call.returned();
            boolean granted = call.isAcquire() && call.isOk();
            // The hold of a request whose first answer was lost is its retry's.
            if (returned != null && (granted || !history.beliefs(call.call()).isEmpty())) {
                long from = returned.atNanos();
                long to = Math.max(from, history.believedUntil(call.call()).orElse(from));
                beliefs.add(new Belief(call, from, to));
            }
        }
        beliefs.sort(Comparator.comparingLong(Belief::fromNanos));
        return beliefs;
    }

    private static void findOverlaps(List<Belief> inOrder, Excuses excuses, Findings findings) {
        List<Belief> open = new ArrayList<>();
        for (Belief belief : inOrder) {
            findings.look();
            open.removeIf(earlier -> earlier.toNanos() <= belief.fromNanos());
            for (Belief earlier : open) {
                checkOverlap(earlier, belief, excuses, findings);
            }
            open.add(belief);
        }
    }

    private static void checkOverlap(
            Belief earlier, Belief later, Excuses excuses, Findings findings) {
        long from = earlier.fromNanos();
        long to = Math.max(earlier.toNanos(), later.toNanos());
        if (excuses.excuse(earlier.call().client(), from, to)
                || excuses.excuse(later.call().client(), from, to)) {
            return;
        }
        findings.add(
                "%s and %s both held it for %,d us"
                        .formatted(
                                earlier.call(),
                                later.call(),
                                (Math.min(earlier.toNanos(), later.toNanos()) - later.fromNanos())
                                        / 1_000),
                later.fromNanos(),
                List.of(earlier.call().call(), later.call().call()));
    }
}
