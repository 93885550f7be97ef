package io.raftlock.chaos.checker;

import io.raftlock.chaos.history.Operation;

import java.util.List;

/** Whether the answers about each lock can be explained at all, by the order of their tokens. */
final class TokenOrderCheck implements Check {
    @Override
    public int invariant() {
        return 2;
    }

    @Override
    public String title() {
        return "answers fit the tokens";
    }

    @Override
    public String description() {
        return "each lock's answers fit holds that follow each other in the order of their tokens";
    }

    @Override
    public Checked look(Evidence evidence) {
        Findings findings = new Findings(invariant(), "operations");
        evidence.history().byLock().forEach((lock, calls) -> look(lock, calls, evidence, findings));
        return findings.done();
    }

    private static void look(
            String lock, List<Operation> calls, Evidence evidence, Findings findings) {
        List<MutexOp> ops = MutexHistory.of(lock, calls, evidence);
        findings.look(ops.size());
        switch (TokenOrder.check(ops)) {
            case VALID -> {}
            case INVALID -> findings.add("no order of holds explains the answers about " + lock);
            case UNKNOWN -> findings.undecided(lock + ": an answer has two explanations");
        }
    }
}
