package io.raftlock.server.raft;

import com.alipay.sofa.jraft.Closure;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.error.RaftError;

import io.raftlock.server.lock.Entry;
import io.raftlock.server.lock.Outcome;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * An entry that this node proposed, until it is known what became of it. The first to settle it
 * gives every command its verdict; whoever comes later changes nothing.
 */
final class PendingEntry implements Closure {
    private static final String NOT_LEADER = "Is not leader";
    private static final String OTHER_TERM = "expected_term=";

    private final long term;
    private final Entry entry;
    private final List<Proposal> proposals;
    private final ExecutorService refusals;
    private final Consumer<PendingEntry> settled;
    private final AtomicBoolean isSettled = new AtomicBoolean();

    /**
     * @param refusals runs this closure when the log refuses the entry
     * @param settled told once, after the verdicts
     */
    PendingEntry(
            long term,
            Entry entry,
            List<Proposal> proposals,
            ExecutorService refusals,
            Consumer<PendingEntry> settled) {
        this.term = term;
        this.entry = entry;
        this.proposals = proposals;
        this.refusals = refusals;
        this.settled = settled;
    }

    long term() {
        return term;
    }

    Entry entry() {
        return entry;
    }

    int size() {
        return proposals.size();
    }

    /** The entry took effect. On the apply thread. */
    void applied(List<Outcome> outcomes) {
        if (isSettled.compareAndSet(false, true)) {
            for (int slot = 0; slot < proposals.size(); slot++) {
                proposals.get(slot).settle(new Verdict.Done(outcomes.get(slot)));
            }
            settled.accept(this);
        }
    }

    void settle(Verdict verdict) {
        if (isSettled.compareAndSet(false, true)) {
            proposals.forEach(proposal -> proposal.settle(verdict));
            settled.accept(this);
        }
    }

    @Override
    public void run(Status status) {
        settle(verdict(status));
    }

    /**
     * What the log's refusal says about the entry. One code means both "not appended" and "appended
     * and lost sight of", so only the text tells them apart; a text not known here means unknown.
     */
    static Verdict verdict(Status status) {
        String text = String.valueOf(status.getErrorMsg());
        return switch (status.getRaftError()) {
            case EPERM ->
                    text.startsWith(NOT_LEADER) || text.startsWith(OTHER_TERM)
                            ? new Verdict.NotLeader()
                            : new Verdict.Unknown(text);
            case EBUSY -> new Verdict.Busy();
            case ENODESHUTDOWN -> new Verdict.NotLeader();
            default -> new Verdict.Unknown(RaftError.describeCode(status.getCode()) + ": " + text);
        };
    }

    @Override
    public @Nullable ExecutorService getExecutor() {
        return refusals;
    }
}
