package io.raftlock.server.simulation;

import static io.raftlock.server.simulation.Violation.require;

import io.raftlock.protocol.SessionId;
import io.raftlock.server.lock.Applied;
import io.raftlock.server.lock.ClaimState;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.LockStateMachine;
import io.raftlock.server.lock.Notice;
import io.raftlock.server.lock.SessionRecord;
import io.raftlock.server.lock.Snapshot;
import io.raftlock.server.raft.Verdict;
import io.raftlock.server.session.ClusterClock;
import io.raftlock.server.session.KeepAliveReply;
import io.raftlock.server.session.LeaderTime;
import io.raftlock.server.session.ProposalResult;
import io.raftlock.server.session.SessionTicker;
import io.raftlock.server.session.TickerPort;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** One node: the real state machine and the real ticker, wired as the server wires them. */
final class SimNode implements TickerPort {
    final int id;
    private final SimCluster cluster;
    private final Timeline timeline;
    private final Chance chance;
    private final DriftingClock clock;

    // What a crash leaves.
    private Snapshot saved = Snapshot.EMPTY;

    // What a crash takes.
    private int life;
    private LockStateMachine machine;
    private long applied;
    private ClusterClock clusterClock;
    private LeaderTime time;
    private SessionTicker ticker;
    private ArrayDeque<Runnable> tickInbox;
    private int turnsAskedFor;
    private Map<SessionId, Long> heard;
    private Set<Proposed> underWay;
    private Proposed batch;
    private long term;
    private boolean leading;
    private boolean catchingUp;

    private boolean down;
    private boolean paused;
    private boolean isolated;
    private boolean lagging;
    private final ArrayDeque<Runnable> whilePaused = new ArrayDeque<>();

    private final Lifetimes lifetimes;

    SimNode(int id, SimCluster cluster) {
        this.id = id;
        this.cluster = cluster;
        timeline = cluster.timeline;
        chance = cluster.chance;
        clock = chance.clock();
        lifetimes = new Lifetimes(timeline);
        start();
    }

    private void start() {
        life++;
        clusterClock = new ClusterClock();
        time = new LeaderTime(now());
        tickInbox = new ArrayDeque<>();
        heard = new HashMap<>();
        underWay = new LinkedHashSet<>();
        batch = null;
        leading = false;
        term = 0;
        catchingUp = false;
        load(saved);
        ticker = new SessionTicker(this, clusterClock, time, this::postToTick, now());
        turnLater(0);
    }

    private long now() {
        return clock.at(timeline.nowNanos());
    }

    boolean isAvailable() {
        return !down && !paused && !isolated;
    }

    boolean isWorking() {
        return isAvailable() && leading;
    }

    LockStateMachine machine() {
        return machine;
    }

    // -- threads

    private void later(long nanos, Runnable action) {
        int now = life;
        timeline.in(
                nanos,
                () -> {
                    if (now == life && !down) {
                        runOrWait(action);
                    }
                });
    }

    private void runOrWait(Runnable action) {
        if (paused) {
            whilePaused.add(action);
        } else {
            action.run();
        }
    }

    private void postToTick(Runnable task) {
        tickInbox.add(task);
        later(chance.millisBetween(0, 2), this::runPosted);
    }

    private void runPosted() {
        while (!tickInbox.isEmpty()) {
            tickInbox.remove().run();
        }
        turnLater(ticker.turn(now()));
    }

    private void turnLater(long nanos) {
        int asked = ++turnsAskedFor;
        later(
                clock.trueNanos(nanos) + chance.millisBetween(0, 20),
                () -> {
                    if (asked == turnsAskedFor) {
                        runPosted();
                    }
                });
    }

    // -- faults

    void crash(long millis) {
        if (down) {
            return;
        }
        down = true;
        life++;
        leading = false;
        underWay.forEach(Proposed::forget);
        whilePaused.clear();
        lifetimes.disturbed();
        timeline.inMillis(millis, this::restart);
    }

    void restart() {
        if (down) {
            down = false;
            paused = false;
            start();
            catchUpLater();
        }
    }

    void pause(long millis) {
        if (down || paused) {
            return;
        }
        paused = true;
        timeline.inMillis(millis, this::resume);
    }

    void resume() {
        if (!paused) {
            return;
        }
        paused = false;
        lifetimes.disturbed();
        // Threads and sockets come back in any order.
        while (!whilePaused.isEmpty()) {
            later(chance.millisBetween(0, 50), whilePaused.remove());
        }
        catchUpLater();
    }

    void isolate(long millis) {
        isolated = true;
        timeline.inMillis(millis, this::rejoin);
    }

    void rejoin() {
        isolated = false;
        lifetimes.disturbed();
        catchUpLater();
    }

    void lag(long millis) {
        lagging = true;
        timeline.inMillis(
                millis,
                () -> {
                    lagging = false;
                    catchUpLater();
                });
    }

    void heal() {
        restart();
        resume();
        if (isolated) {
            rejoin();
        }
        lagging = false;
    }

    void save() {
        if (!down) {
            saved = machine.snapshot();
        }
    }

    /** Replaces the state by another node's, as when the log does not reach back far enough. */
    void install(SimNode from) {
        if (isAvailable() && !leading && !from.down && from.applied > applied) {
            load(from.machine.snapshot());
            saved = machine.snapshot();
            catchUpLater();
        }
    }

    private void load(Snapshot snapshot) {
        machine = new LockStateMachine(Bytes.written(snapshot));
        applied = snapshot.appliedIndex();
        if (applied > 0) {
            cluster.history.loaded(machine.snapshot());
        }
    }

    // -- the log

    void catchUpLater() {
        if (catchingUp || down) {
            return;
        }
        catchingUp = true;
        later(chance.millisBetween(0.5, chance.percent(5) ? 1_500 : 30), this::catchUp);
    }

    private void catchUp() {
        catchingUp = false;
        if (isolated || lagging) {
            return;
        }
        if (leading && !cluster.leads(this, term)) {
            stopLeading();
        }
        applyTo(cluster.commitIndex());
    }

    void applyTo(long target) {
        while (applied < target) {
            Proposed next = cluster.entry(++applied);
            if (next != null) {
                apply(applied, next);
            }
        }
    }

    private void apply(long index, Proposed next) {
        Applied effect = machine.apply(index, next.entry());
        if (cluster.history.applied(index, next.entry(), effect, machine.snapshot())) {
            cluster.silencesAre(silentSessions());
        }
        if (underWay.remove(next)) {
            next.settle(slot -> new Verdict.Done(effect.outcomes().get(slot)));
        }
        if (leading) {
            effect.notices().forEach(this::tell);
        }
    }

    private Map<SessionId, Long> silentSessions() {
        Map<SessionId, Long> silent = new LinkedHashMap<>();
        for (SessionRecord session : machine.snapshot().sessions()) {
            if (session.deadlineMillis() != 0) {
                silent.put(session.id(), session.ttlMillis());
            }
        }
        return silent;
    }

    private void tell(Notice notice) {
        if (notice instanceof Notice.SessionStarted started) {
            lifetimes.arrived(started.session());
            postToTick(() -> ticker.sessionStarted(started.session(), started.ttlMillis(), now()));
        } else if (notice instanceof Notice.SessionEnded ended) {
            postToTick(() -> ticker.sessionEnded(ended.session()));
        } else {
            cluster.network.send(() -> cluster.pushes.accept(notice));
        }
    }

    void startLeading(long newTerm) {
        term = newTerm;
        leading = true;
        clusterClock.start(machine.clockMillis(), now());
        List<SessionRecord> open = machine.snapshot().sessions();
        lifetimes.leads(silentSessions().keySet());
        postToTick(() -> ticker.lead(newTerm, open, now()));
    }

    /** A deposed leader learns of its successor; if the others do not reach it, much later. */
    void learnOfTermLater(long newTerm) {
        later(
                chance.millisBetween(0, isolated ? 12_000 : chance.percent(30) ? 4_000 : 300),
                () -> {
                    if (term < newTerm) {
                        stopLeading();
                    }
                });
    }

    void stopLeading() {
        if (!leading) {
            return;
        }
        leading = false;
        clusterClock.stop(now());
        postToTick(ticker::follow);
        List<Proposed> lost = new ArrayList<>(underWay);
        underWay.clear();
        lost.forEach(each -> each.settle(slot -> new Verdict.Unknown("stepped down")));
        if (batch != null) {
            batch.settle(slot -> new Verdict.NotLeader());
            batch = null;
        }
    }

    private void propose(Command command, Consumer<Verdict> verdict) {
        if (!leading) {
            verdict.accept(new Verdict.NotLeader());
        } else if (cluster.isRefusing()) {
            verdict.accept(new Verdict.Busy());
        } else {
            if (batch == null) {
                batch = new Proposed(term, this, life);
                later(chance.millisBetween(0, chance.percent(2) ? 500 : 3), this::flush);
            }
            batch.add(command, verdict);
        }
    }

    private void flush() {
        if (batch != null) {
            Proposed full = batch;
            batch = null;
            full.seal(clusterClock.millis(now()));
            underWay.add(full);
            cluster.append(full);
        }
    }

    // -- clients

    /** A message has reached this machine; whether the process runs is another matter. */
    private void arrives(SessionId session, Runnable action) {
        if (down) {
            return;
        }
        if (session != null) {
            lifetimes.arrived(session);
        }
        int now = life;
        runOrWait(
                () -> {
                    if (now == life && session != null) {
                        heard.put(session, time.at(now()));
                    }
                    action.run();
                });
    }

    void request(Command command, SessionId session, Consumer<Reply> reply) {
        arrives(session, () -> propose(command, verdict -> answer(reply, toReply(verdict))));
    }

    private Reply toReply(Verdict verdict) {
        return verdict instanceof Verdict.Done done
                ? new Reply.Done(done.outcome(), clusterClock.millis(now()))
                : new Reply.AskAgain(cluster.leaderHint());
    }

    private void answer(Consumer<Reply> to, Reply reply) {
        cluster.network.send(() -> to.accept(reply));
    }

    void keepAlive(SessionId session, List<Long> pending, Consumer<Reply> reply) {
        arrives(
                session,
                () ->
                        postToTick(
                                () -> ticker.keepAlive(session, replyTo(session, pending, reply))));
    }

    private KeepAliveReply replyTo(SessionId session, List<Long> pending, Consumer<Reply> to) {
        return new KeepAliveReply() {
            @Override
            public void alive() {
                Map<Long, ClaimState> states = new LinkedHashMap<>();
                pending.forEach(each -> states.put(each, machine.claimState(session, each)));
                answer(to, new Reply.Alive(states, clusterClock.millis(now())));
            }

            @Override
            public void expired() {
                require(cluster.history.isEnded(session), "%s is said to have ended", session);
                answer(to, new Reply.Expired());
            }

            @Override
            public void unconfirmed() {
                answer(to, new Reply.AskAgain(cluster.leaderHint()));
            }
        };
    }

    // -- what the ticker needs

    @Override
    public OptionalLong lastHeardNanos(SessionId session) {
        Long nanos = heard.get(session);
        return nanos == null ? OptionalLong.empty() : OptionalLong.of(nanos);
    }

    @Override
    public <T> T read(Function<LockStateMachine, T> reader) {
        return reader.apply(machine);
    }

    @Override
    public int formatOfAll() {
        return cluster.formatOfAll();
    }

    @Override
    public void propose(long inTerm, Command command, Consumer<ProposalResult> result) {
        if (command instanceof Command.ExpireSession expire) {
            SessionId session = expire.session();
            lifetimes.checkSilence(session, machine.ttlMillis(session).orElse(0L));
        }
        if (leading && inTerm == term) {
            propose(command, verdict -> result.accept(toResult(verdict)));
        } else {
            result.accept(ProposalResult.NOT_APPENDED);
        }
    }

    private static ProposalResult toResult(Verdict verdict) {
        return switch (verdict.kind()) {
            case DONE -> ProposalResult.APPLIED;
            case NOT_LEADER, BUSY -> ProposalResult.NOT_APPENDED;
            case UNKNOWN -> ProposalResult.UNKNOWN;
        };
    }

    @Override
    public void confirmLeadership(Consumer<Boolean> confirmed) {
        long inTerm = term;
        int now = life;
        timeline.in(
                chance.millisBetween(0.1, isolated ? 900 : 4),
                () -> {
                    boolean leads =
                            !isolated && cluster.leads(this, inTerm) && !cluster.isRefusing();
                    long committed = cluster.commitIndex();
                    if (now == life) {
                        later(
                                chance.millisBetween(0.1, 4),
                                () -> {
                                    if (leads) {
                                        applyTo(committed);
                                    }
                                    confirmed.accept(leads);
                                });
                    }
                });
    }

    // -- what must hold

    void checkNobodyOutlivesItsTime(boolean majority) {
        if (isWorking() && majority) {
            lifetimes.checkNobodyOutlivesItsTime(
                    machine.snapshot(), clusterClock.millis(now()), cluster.disturbedUntilNanos());
        } else {
            lifetimes.disturbed();
        }
    }
}
