package io.raftlock.server.simulation;

import static io.raftlock.server.simulation.Violation.require;

import io.raftlock.protocol.SessionId;
import io.raftlock.server.format.Formats;
import io.raftlock.server.lock.Notice;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The nodes and the one log that consensus makes of theirs: committed entries, and behind them what
 * the leader has appended. Of that, a new leader keeps a first part and drops the rest.
 */
final class SimCluster {
    private static final long WATCH_MILLIS = 100;

    /** Until what was proposed in vain is proposed again, and some ticks. */
    private static final long BEGINNING_MILLIS = 1_300;

    final Timeline timeline;
    final Chance chance;
    final SimNetwork network;
    final History history;
    final List<SimNode> nodes = new ArrayList<>();
    Consumer<Notice> pushes = notice -> {};

    /** By index, from 1 on; null stands for an entry of the engine's own. */
    private final List<Proposed> committed = new ArrayList<>();

    private final List<Proposed> tail = new ArrayList<>();
    private long term;
    private SimNode leader;
    private long leaderlessMillis;
    private long patienceMillis = 100;
    private long stalledUntilNanos;
    private long refusingUntilNanos;
    private final long upgradedAtNanos;

    /** How long leaders have worked undisturbed, and how often that began anew. */
    private long ledMillis;

    private int beginnings;
    private boolean disturbed;
    private final Map<SessionId, Noted> noted = new HashMap<>();

    /** When a session was noted silent, in terms of the above. */
    private record Noted(long ledMillis, int beginnings, long ttlMillis) {}

    SimCluster(Timeline timeline, Chance chance, SimNetwork network, int size) {
        this.timeline = timeline;
        this.chance = chance;
        this.network = network;
        history = new History();
        upgradedAtNanos = chance.percent(70) ? 0 : chance.millisBetween(0, 20_000);
        for (int id = 0; id < size; id++) {
            nodes.add(new SimNode(id, this));
        }
        watch();
    }

    /** The last of the old versions is replaced at some time, or was before. */
    int formatOfAll() {
        return timeline.nowNanos() < upgradedAtNanos ? 0 : Formats.NEWEST;
    }

    long commitIndex() {
        return committed.size();
    }

    Proposed entry(long index) {
        return committed.get((int) index - 1);
    }

    SimNode leader() {
        return leader;
    }

    long term() {
        return term;
    }

    boolean leads(SimNode node, long inTerm) {
        return node == leader && inTerm == term;
    }

    int leaderHint() {
        return leader == null ? 0 : leader.id;
    }

    // -- the log

    void append(Proposed proposed) {
        // What a deposed leader appends stays on its own disk, and is never committed.
        if (leads(proposed.by, proposed.term)) {
            tail.add(proposed);
            commitLater(proposed, chance.millisBetween(0.2, chance.percent(3) ? 900 : 8));
        }
    }

    private void commitLater(Proposed proposed, long nanos) {
        timeline.in(nanos, () -> commit(proposed));
    }

    private void commit(Proposed proposed) {
        if (!tail.contains(proposed)) {
            return;
        }
        if (!leader.isWorking() || timeline.nowNanos() < stalledUntilNanos || !hasMajority()) {
            commitLater(proposed, chance.millisBetween(5, 50));
            return;
        }
        Proposed next;
        do {
            next = tail.remove(0);
            committed.add(next);
        } while (next != proposed);
        leader.applyTo(commitIndex());
        nodes.stream().filter(node -> node != leader).forEach(SimNode::catchUpLater);
    }

    // -- elections

    private boolean hasMajority() {
        return nodes.stream().filter(SimNode::isAvailable).count() > nodes.size() / 2;
    }

    private void watch() {
        leaderlessMillis =
                leader != null && leader.isWorking() ? 0 : leaderlessMillis + WATCH_MILLIS;
        if (leaderlessMillis >= patienceMillis && hasMajority()) {
            elect(chance.oneOf(nodes.stream().filter(SimNode::isAvailable).toList()));
        }
        if (leader != null) {
            leader.checkNobodyOutlivesItsTime(hasMajority());
        }
        checkSilentSessionsEnd();
        timeline.inMillis(WATCH_MILLIS, this::watch);
    }

    /** However often leaders change, a session that was noted silent ends in bounded time (H6). */
    private void checkSilentSessionsEnd() {
        boolean works =
                leader != null
                        && leader.isWorking()
                        && hasMajority()
                        && timeline.nowNanos() >= disturbedUntilNanos();
        beginnings += works && disturbed ? 1 : 0;
        disturbed = !works;
        ledMillis += works ? WATCH_MILLIS : 0;
        noted.forEach(
                (session, since) -> {
                    long grace = graceMillis(since.ttlMillis()) + BEGINNING_MILLIS;
                    long allowed =
                            (long) (since.ttlMillis() * 1.02)
                                    + (beginnings - since.beginnings() + 1) * grace;
                    require(
                            ledMillis - since.ledMillis() <= allowed,
                            "session %s was noted silent and lives on for %d ms",
                            session,
                            ledMillis - since.ledMillis());
                });
    }

    private static long graceMillis(long ttlMillis) {
        long nanos = Lifetimes.graceNanos(TimeUnit.MILLISECONDS.toNanos(ttlMillis));
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    /** The first node to apply it tells what an entry has changed. */
    void silencesAre(Map<SessionId, Long> ttlMillisOfSilent) {
        noted.keySet().retainAll(ttlMillisOfSilent.keySet());
        ttlMillisOfSilent.forEach(
                (session, ttl) ->
                        noted.computeIfAbsent(
                                session, since -> new Noted(ledMillis, beginnings, ttl)));
    }

    void elect(SimNode next) {
        if (!next.isAvailable() || !hasMajority()) {
            return;
        }
        leaderlessMillis = 0;
        patienceMillis = chance.between(300, chance.percent(25) ? 9_000 : 2_500);
        SimNode before = leader;
        term++;
        beginnings++;
        leader = next;
        committed.addAll(tail.subList(0, (int) chance.between(0, tail.size())));
        tail.clear();
        if (before == next) {
            next.stopLeading();
        } else if (before != null) {
            before.learnOfTermLater(term);
        }
        next.applyTo(commitIndex());
        next.startLeading(term);
        committed.add(null);
    }

    void stall(long millis) {
        stalledUntilNanos = timeline.nowNanos() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    void refuse(long millis) {
        refusingUntilNanos = timeline.nowNanos() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    boolean isRefusing() {
        return timeline.nowNanos() < refusingUntilNanos && chance.percent(60);
    }

    long disturbedUntilNanos() {
        return Math.max(stalledUntilNanos, refusingUntilNanos);
    }
}
