package io.raftlock.server.simulation;

import io.raftlock.server.lock.Notice;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The nodes and the one log that consensus makes of theirs: committed entries, and behind them what
 * the leader has appended. Of that, a new leader keeps a first part and drops the rest.
 */
final class SimCluster {
    private static final long WATCH_MILLIS = 100;

    final Timeline timeline;
    final Chance chance;
    final SimNetwork network;
    final History history;
    final Set<Bug> bugs;
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

    SimCluster(Timeline timeline, Chance chance, SimNetwork network, Set<Bug> bugs, int size) {
        this.timeline = timeline;
        this.chance = chance;
        this.network = network;
        this.bugs = bugs.isEmpty() ? EnumSet.noneOf(Bug.class) : EnumSet.copyOf(bugs);
        history = new History();
        for (int id = 0; id < size; id++) {
            nodes.add(new SimNode(id, this));
        }
        watch();
    }

    boolean has(Bug bug) {
        return bugs.contains(bug);
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
        timeline.inMillis(WATCH_MILLIS, this::watch);
    }

    void elect(SimNode next) {
        if (!next.isAvailable() || !hasMajority()) {
            return;
        }
        leaderlessMillis = 0;
        patienceMillis = chance.between(300, chance.percent(25) ? 9_000 : 2_500);
        SimNode before = leader;
        term++;
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
