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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Makes entries of the commands that any thread proposes. One thread of its own takes whatever
 * waits and appends it; it never waits for more. Only so many entries are under way at a time, so
 * commands gather while the log is busy, and go alone while it is not.
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
    private final ExecutorService refusals;

    /** Commands without a verdict, beyond which a client's command is refused. */
    private final int maxOutstanding;

    private final Semaphore entriesInFlight;
    private final LinkedBlockingQueue<Proposal> waiting = new LinkedBlockingQueue<>();
    private final AtomicInteger outstanding = new AtomicInteger();
    private final Set<PendingEntry> underWay = ConcurrentHashMap.newKeySet();
    private final Thread thread = new Thread(this::run, "raft-proposer");

    /** In which this node leads, or 0. */
    private volatile long leaderTerm;

    private volatile boolean closed;
    private volatile boolean ended;

    // Of the proposer's own thread.
    private @Nullable Proposal heldBack;
    private long stampTerm;
    private long lastStampMillis;

    /**
     * @param stampMillis the cluster clock, read once for each entry on the proposer's thread
     * @param refusals gives the verdicts of commands that were not appended
     */
    Proposer(EntryLog log, LongSupplier stampMillis, ExecutorService refusals, Tuning tuning) {
        this.log = log;
        this.stampMillis = stampMillis;
        this.refusals = refusals;
        maxOutstanding = tuning.outstandingCommands();
        entriesInFlight = new Semaphore(tuning.entriesInFlight());
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
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
        // The thread may have ended between the look at closed and now.
        if (ended && waiting.remove(proposal)) {
            outstanding.decrementAndGet();
            refuse(verdict, new Verdict.NotLeader());
        }
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

    /** Ends the thread; what it has not appended is refused. */
    void end() {
        close();
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
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

    // -- the proposer's own thread

    private void run() {
        try {
            while (true) {
                Proposal first = heldBack != null ? heldBack : waiting.take();
                heldBack = first;
                entriesInFlight.acquire();
                append(batchFrom(first));
            }
        } catch (InterruptedException stop) {
            LOG.debug("The proposer ends");
        }
        ended = true;
        if (heldBack != null) {
            settleUnappended(heldBack);
        }
        for (Proposal left = waiting.poll(); left != null; left = waiting.poll()) {
            settleUnappended(left);
        }
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
        return batch;
    }

    private void append(List<Proposal> batch) {
        long term = batch.get(0).term();
        Entry entry = new Entry(stamp(term), batch.stream().map(Proposal::command).toList());
        PendingEntry pending = new PendingEntry(term, entry, batch, refusals, this::settled);
        underWay.add(pending);
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
        entriesInFlight.release();
    }
}
