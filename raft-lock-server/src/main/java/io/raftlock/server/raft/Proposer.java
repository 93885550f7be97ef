package io.raftlock.server.raft;

import io.raftlock.server.format.EntryCodec;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.Entry;
import io.raftlock.server.lock.LogPosition;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Makes entries of the commands that any thread proposes. Whoever proposes a command, or learns
 * that an entry is over, appends what is due by the {@link EntryPacing}, unless another thread is
 * at it: one at a time is, and none waits for another. To wake a thread for that would be on the
 * way that every answer waits for. Only so many entries are under way at a time, so commands gather
 * while the log is busy, and go alone while it is not.
 *
 * <p>What is outstanding is bounded here, below the bounds of the log: its own ways of refusing
 * cost a thread per refusal.
 */
final class Proposer {
    private static final Logger LOG = LoggerFactory.getLogger(Proposer.class);

    /**
     * What the leader may propose beyond the bound: if clients crowd it out, nothing expires. It
     * has four kinds of commands with 512 each at most under way, and a few single ones.
     */
    static final int RESERVED_FOR_LEADER = 2_560;

    static final int MAX_ENTRY_BYTES = 64 * 1024;

    private final EntryLog log;
    private final LongSupplier stampMillis;
    private final Predicate<Command> onlyQueues;
    private final ExecutorService refusals;

    /** Commands without a verdict, beyond which a client's command is refused. */
    private final int maxOutstanding;

    private final Queue<Proposal> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waitingCount = new AtomicInteger();
    private final AtomicInteger entriesInFlight = new AtomicInteger();

    /** In entries that are settled, of which the pacing has not heard yet. */
    private final AtomicInteger settledCommands = new AtomicInteger();

    private final AtomicInteger outstanding = new AtomicInteger();
    private final Set<PendingEntry> underWay = ConcurrentHashMap.newKeySet();

    /** Reasons to look at what waits that nobody has seen to yet. Who makes it 1 appends. */
    private final AtomicInteger reasons = new AtomicInteger();

    /** In which this node leads, or 0. */
    private volatile long leaderTerm;

    private volatile boolean started;
    private volatile boolean closed;
    private volatile boolean ended;

    private final Alarm alarm = new Alarm(this::appendWaiting, "raft-proposer");

    // Of the thread that appends.
    private final EntryPacing pacing;
    private @Nullable Proposal heldBack;
    private long stampTerm;
    private long lastStampMillis;

    /**
     * @param stampMillis the cluster clock, read once for each entry, by one thread at a time
     * @param onlyQueues whether a command would do no more than queue, were it applied now
     * @param refusals gives the verdicts of commands that were not appended
     */
    Proposer(
            EntryLog log,
            LongSupplier stampMillis,
            Predicate<Command> onlyQueues,
            ExecutorService refusals,
            Tuning tuning) {
        this.log = log;
        this.onlyQueues = onlyQueues;
        this.stampMillis = stampMillis;
        this.refusals = refusals;
        maxOutstanding = tuning.outstandingCommands();
        pacing = new EntryPacing(tuning.entriesInFlight());
    }

    /** From now on what is proposed is appended. */
    void start() {
        started = true;
        alarm.start();
        appendWaiting();
    }

    // -- any thread

    long leaderTerm() {
        return leaderTerm;
    }

    int outstanding() {
        return outstanding.get();
    }

    /** Proposes what a client wants. */
    void propose(Command command, Consumer<Verdict> verdict) {
        propose(leaderTerm, command, verdict, maxOutstanding);
    }

    /** Proposes what the leader of that term has decided. */
    void propose(long term, Command command, Consumer<Verdict> verdict) {
        propose(term, command, verdict, maxOutstanding + RESERVED_FOR_LEADER);
    }

    private void propose(long term, Command command, Consumer<Verdict> verdict, int bound) {
        if (term <= 0 || closed) {
            refuse(verdict, new Verdict.NotLeader());
            return;
        }
        Proposal proposal = new Proposal(term, command, verdict);
        if (outstanding.incrementAndGet() > bound) {
            outstanding.decrementAndGet();
            refuse(verdict, new Verdict.Busy());
            return;
        }
        waiting.add(proposal);
        waitingCount.incrementAndGet();
        appendWaiting();
    }

    private void refuse(Consumer<Verdict> verdict, Verdict why) {
        try {
            refusals.execute(() -> Proposal.settle(verdict, why));
        } catch (RejectedExecutionException stopped) {
            Proposal.settle(verdict, why);
        }
    }

    // -- apply thread

    void leaderStarted(long term) {
        leaderTerm = term;
        // The log tells of every entry that it loses. If it ever failed to, the slots of those
        // entries would be taken for good; but none of an earlier term can be applied from now on.
        settleAll(term, "a later term has begun");
    }

    void leaderStopped() {
        leaderTerm = 0;
    }

    // -- the thread that stops the node

    /** From now on every new proposal is refused; those accepted go on. */
    void close() {
        closed = true;
    }

    /** Waits until everything accepted has its verdict; false if the time passed before. */
    boolean drain(BooleanSupplier deadlinePassed) {
        return Waiting.until(() -> outstanding.get() == 0, deadlinePassed);
    }

    /** From now on nothing is appended; what was not is refused. */
    void end() {
        close();
        ended = true;
        alarm.end();
        appendWaiting();
    }

    /** Ends what is left, when the log is closed and nobody else will. */
    void abandon() {
        settleAll(Long.MAX_VALUE, "the node stopped");
    }

    private void settleAll(long beforeTerm, String why) {
        for (PendingEntry pending : underWay) {
            if (pending.term() < beforeTerm) {
                pending.settle(new Verdict.Unknown(why));
            }
        }
    }

    // -- the thread that appends

    /** Appends what is due; if another thread is at it, leaves that to it. */
    private void appendWaiting() {
        if (reasons.getAndIncrement() > 0) {
            return;
        }
        int seen = 1;
        try {
            while (seen > 0) {
                appendDue();
                seen = reasons.addAndGet(-seen);
            }
        } catch (Throwable failure) {
            // Else nobody would ever append again.
            reasons.set(0);
            throw failure;
        }
    }

    private void appendDue() {
        int settled = settledCommands.getAndSet(0);
        if (settled > 0) {
            pacing.settled(settled, waitingCount.get(), System.nanoTime());
        }
        while (isDue()) {
            Proposal first = take();
            if (first == null) {
                return;
            }
            append(batchFrom(first));
        }
        if (ended) {
            for (Proposal left = take(); left != null; left = take()) {
                settleUnappended(left);
            }
        }
    }

    private boolean isDue() {
        int count = waitingCount.get();
        if (!started || ended || count == 0) {
            return false;
        }
        int inFlight = entriesInFlight.get();
        long now = System.nanoTime();
        if (pacing.isDue(count, inFlight, now, this::isUrgent)) {
            return true;
        }
        if (inFlight == 0) {
            alarm.set(pacing.endOfPatienceNanos());
        }
        return false;
    }

    private boolean isUrgent() {
        Proposal held = heldBack;
        return (held != null && !onlyQueues.test(held.command()))
                || waiting.stream().anyMatch(each -> !onlyQueues.test(each.command()));
    }

    private @Nullable Proposal take() {
        Proposal held = heldBack;
        heldBack = null;
        return held != null ? held : waiting.poll();
    }

    private void settleUnappended(Proposal proposal) {
        outstanding.decrementAndGet();
        refuse(proposal.verdict(), new Verdict.NotLeader());
    }

    /** Takes what waits, as far as it has the same term and fits. */
    private List<Proposal> batchFrom(Proposal first) {
        List<Proposal> batch = new ArrayList<>();
        int bytes = 0;
        Proposal next = first;
        while (next != null
                && next.term() == first.term()
                && batch.size() < LogPosition.MAX_BATCH
                && (batch.isEmpty() || bytes + next.bytes().length <= MAX_ENTRY_BYTES)) {
            batch.add(next);
            bytes += next.bytes().length;
            next = waiting.poll();
        }
        heldBack = next;
        waitingCount.addAndGet(-batch.size());
        return batch;
    }

    private void append(List<Proposal> batch) {
        long term = batch.get(0).term();
        Entry entry = new Entry(stamp(term), batch.stream().map(Proposal::command).toList());
        PendingEntry pending = new PendingEntry(term, entry, batch, refusals, this::settled);
        underWay.add(pending);
        entriesInFlight.incrementAndGet();
        try {
            byte[] bytes =
                    EntryCodec.join(
                            EntryCodec.format(entry),
                            entry.stampMillis(),
                            batch.stream().map(Proposal::bytes).toList());
            log.append(term, bytes, pending);
        } catch (RejectedExecutionException busy) {
            pending.settle(new Verdict.Busy());
        } catch (RuntimeException failure) {
            LOG.warn("An entry was not appended", failure);
            pending.settle(new Verdict.Unknown(String.valueOf(failure.getMessage())));
        }
    }

    /** The cluster clock. It does not go back within a term, whatever it is told. */
    private long stamp(long term) {
        if (term != stampTerm) {
            stampTerm = term;
            lastStampMillis = 0;
        }
        try {
            lastStampMillis = Math.max(lastStampMillis, stampMillis.getAsLong());
        } catch (RuntimeException failure) {
            // A clock that stands still ends leases late; a proposer that dies ends the service.
            LOG.error("The cluster clock cannot be read", failure);
        }
        return lastStampMillis;
    }

    private void settled(PendingEntry pending) {
        underWay.remove(pending);
        outstanding.addAndGet(-pending.size());
        settledCommands.addAndGet(pending.size());
        entriesInFlight.decrementAndGet();
        appendWaiting();
    }
}
