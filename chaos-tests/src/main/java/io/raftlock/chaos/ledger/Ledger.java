package io.raftlock.chaos.ledger;

import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.LogPosition;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The committed log of a run, put together from the journals of all nodes, and what a clean state
 * machine says that it did. Nothing in it comes from what a node answered. Immutable.
 *
 * <p>An index that no journal has is taken for an entry without commands, such as those with which
 * a leader begins its term. That it was a command which all nodes forgot cannot be told from the
 * journals; it shows as a digest that is another, or as an answer that the log does not explain.
 */
public final class Ledger {
    private final LedgerProblems problems;
    private final ClockOfEntries clock;
    private final Map<Long, String> digests;
    private final Map<Long, SessionLife> sessions;
    private final List<String> oddities;
    private final long records;

    private final Map<String, List<Held>> holdsByLock = new TreeMap<>();
    private final Map<Long, List<Held>> holdsByCall = new HashMap<>();
    private final Map<String, List<Waited>> waitsByLock = new TreeMap<>();
    private final List<NumberedCommand> requests;
    private final Map<Long, List<NumberedCommand>> acquiresByCall = new HashMap<>();
    private final Map<Hold, List<NumberedCommand>> releases = new HashMap<>();
    private final Map<Hold, Held> holdsByToken = new HashMap<>();

    private record Hold(String lock, long token) {}

    private Ledger(Replay replay, LedgerProblems problems, long records) {
        this.problems = problems;
        this.records = records;
        clock = replay.clock();
        digests = replay.digests();
        sessions = replay.sessions();
        oddities = replay.holds().oddities();
        requests = replay.requests();
        replay.holds().holds().stream()
                .sorted(Comparator.comparingLong(Held::granted))
                .forEach(this::index);
        replay.holds().waits().stream()
                .sorted(Comparator.comparingLong(Waited::enqueued))
                .forEach(wait -> add(waitsByLock, wait.lock(), wait));
        requests.forEach(this::index);
    }

    /**
     * Reads all journals and replays them.
     *
     * @param digestsWanted indexes at which the state's digest is kept
     */
    public static Ledger of(List<? extends JournalSource> journals, Set<Long> digestsWanted) {
        LedgerProblems problems = new LedgerProblems();
        JournalMerge merge = new JournalMerge(journals, problems);
        Replay replay = new Replay(problems, Set.copyOf(digestsWanted));
        boolean readable = true;
        while (merge.hasNext()) {
            JournalSource.Recorded next = merge.next();
            readable = readable && replay.apply(next);
        }
        return new Ledger(replay, problems, merge.records());
    }

    private void index(Held held) {
        add(holdsByLock, held.lock(), held);
        holdsByToken.put(new Hold(held.lock(), held.token()), held);
        if (held.call() != 0) {
            add(holdsByCall, held.call(), held);
        }
    }

    private void index(NumberedCommand request) {
        if (request.command() instanceof Command.Release release) {
            add(releases, new Hold(release.name().value(), release.token()), request);
        } else if (request.call() != 0) {
            add(acquiresByCall, request.call(), request);
        }
    }

    private static <K, V> void add(Map<K, List<V>> lists, K key, V value) {
        lists.computeIfAbsent(key, none -> new ArrayList<>(1)).add(value);
    }

    // -- the journals themselves

    /** Returns where two journals differ at one index; the first hundred. */
    public List<Disagreement> disagreements() {
        return problems.disagreements();
    }

    /** Returns in words where a journal steps back, or the log's term falls. */
    public List<String> disorder() {
        return problems.disorder();
    }

    /** Returns why not all of the log could be replayed, in words; empty if it could. */
    public List<String> unreadable() {
        return problems.unreadable();
    }

    /** Returns in words what the clean state machine did that a lock cannot do. */
    public List<String> oddities() {
        return oddities;
    }

    /** Returns how many records all journals have together. */
    public long records() {
        return records;
    }

    /** Returns how many entries the log has that some journal has. */
    public long entries() {
        return clock.size();
    }

    /** Returns the lowest index that a journal has, or 0. */
    public long firstIndex() {
        return clock.firstIndex();
    }

    /** Returns the highest index that was replayed, or 0. */
    public long lastIndex() {
        return clock.lastIndex();
    }

    /** Returns the digest of the clean state at the index, if it was wanted and the log has it. */
    public Optional<String> digestAt(long index) {
        return Optional.ofNullable(digests.get(index));
    }

    /** Returns the cluster clock when the command at that position was applied, in milliseconds. */
    public long clockMillis(long position) {
        return clock.at(new LogPosition(position).index());
    }

    // -- what the log did

    /** Returns the holds of each lock, in the order in which they were granted. */
    public Map<String, List<Held>> holds() {
        return holdsByLock;
    }

    public @Nullable Held hold(String lock, long token) {
        return holdsByToken.get(new Hold(lock, token));
    }

    /** Returns the holds that the call came to: one at most, if all is well. */
    public List<Held> holdsOf(long call) {
        return holdsByCall.getOrDefault(call, List.of());
    }

    /** Returns the waits for each lock, in the order in which they began. */
    public Map<String, List<Waited>> waits() {
        return waitsByLock;
    }

    /** Returns the acquires that the call sent: one at most, if all is well. */
    public List<NumberedCommand> acquiresOf(long call) {
        return acquiresByCall.getOrDefault(call, List.of());
    }

    /** Returns the requests to release that hold. */
    public List<NumberedCommand> releasesOf(String lock, long token) {
        return releases.getOrDefault(new Hold(lock, token), List.of());
    }

    /** Returns all requests with a number, in the order in which the log first has them. */
    public List<NumberedCommand> requests() {
        return requests;
    }

    /** Returns the sessions by id, in the order in which they were opened. */
    public Map<Long, SessionLife> sessions() {
        return sessions;
    }
}
