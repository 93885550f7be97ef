package io.raftlock.chaos.checker;

import io.raftlock.chaos.history.Operation;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The same by search, which knows nothing of the log's order. Of a lock with more calls than the
 * budget has, the first are looked at: what returned later counts as not returned, so a part of a
 * good history is a good history.
 */
final class WglCheck implements Check {
    @Override
    public int invariant() {
        return 2;
    }

    @Override
    public String title() {
        return "answers are linearizable";
    }

    @Override
    public String description() {
        return "a search finds an order of calls that explains the answers about sampled locks";
    }

    @Override
    public Checked look(Evidence evidence) {
        Findings findings = new Findings(invariant(), "operations");
        Comparator<Map.Entry<String, List<Operation>>> bySize =
                Comparator.comparing(entry -> -entry.getValue().size());
        evidence.history().byLock().entrySet().stream()
                .sorted(bySize.thenComparing(Map.Entry::getKey))
                .limit(evidence.settings().wgl().locks())
                .forEach(entry -> look(entry.getKey(), entry.getValue(), evidence, findings));
        return findings.done();
    }

    private static void look(
            String lock, List<Operation> calls, Evidence evidence, Findings findings) {
        CheckSettings.WglBudget budget = evidence.settings().wgl();
        List<MutexOp> ops = firstOf(MutexHistory.of(lock, calls, evidence), budget.calls());
        Wgl.Answer answer = Wgl.search(ops, budget.steps());
        switch (answer.verdict()) {
            case VALID -> findings.look(ops.size());
            case INVALID -> {
                findings.look(ops.size());
                report(lock, answer, findings);
            }
            case UNKNOWN -> findings.undecided(lock + ": the search did not end in its budget");
        }
    }

    /** Returns what began with the first so many operations. */
    static List<MutexOp> firstOf(List<MutexOp> ops, int count) {
        if (ops.size() <= count) {
            return ops;
        }
        long untilNanos =
                ops.stream()
                        .mapToLong(MutexOp::invokedNanos)
                        .sorted()
                        .skip(count)
                        .findFirst()
                        .orElse(0);
        return ops.stream()
                .filter(op -> op.invokedNanos() < untilNanos)
                .map(op -> op.returnedNanos() < untilNanos ? op : unanswered(op))
                .toList();
    }

    private static MutexOp unanswered(MutexOp op) {
        return new MutexOp(op.kind(), op.call(), op.token(), op.invokedNanos(), Operation.NEVER);
    }

    private static void report(String lock, Wgl.Answer answer, Findings findings) {
        MutexOp stuck = answer.stuckAt();
        if (stuck == null) {
            findings.add("no order explains the answers about " + lock);
            return;
        }
        findings.add(
                "no order explains the answers about %s: none gets past %s with token %d (call %d)"
                        .formatted(lock, stuck.kind(), stuck.token(), stuck.call()),
                stuck.invokedNanos(),
                List.of(stuck.call()));
    }
}
