package io.raftlock.server.session;

import io.raftlock.protocol.ClientMetadata;
import io.raftlock.protocol.LockName;
import io.raftlock.protocol.SessionId;
import io.raftlock.protocol.SessionSecret;
import io.raftlock.server.format.Formats;
import io.raftlock.server.lock.Applied;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.Entry;
import io.raftlock.server.lock.LockStateMachine;
import io.raftlock.server.lock.Notice;
import io.raftlock.server.lock.Outcome;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One leader after the other on one log, each with its own ticker, under one virtual clock. What a
 * leader proposes is applied at once, unless there is no majority: then it waits.
 */
final class VirtualLeaders implements TickerPort {
    final List<SessionId> ended = new ArrayList<>();
    final List<Command> proposed = new ArrayList<>();
    LockStateMachine machine = new LockStateMachine();
    int formatOfAll = Formats.NEWEST;
    private final Map<SessionId, Long> heard = new HashMap<>();
    private final List<Runnable> withoutMajority = new ArrayList<>();
    private ClusterClock clock = new ClusterClock();
    private LeaderTime time;
    private SessionTicker ticker;
    private boolean majority = true;
    private long nowNanos = Long.MAX_VALUE - TimeUnit.MINUTES.toNanos(5);
    private long index;
    private long term;
    private long secrets;

    VirtualLeaders() {
        nextLeader();
    }

    /** Another node leads from now on; it has heard nobody. */
    void nextLeader() {
        majority = true;
        withoutMajority.clear();
        heard.clear();
        clock = new ClusterClock();
        clock.start(machine.clockMillis(), nowNanos);
        time = new LeaderTime(nowNanos);
        ticker = new SessionTicker(this, clock, time, Runnable::run, nowNanos);
        ticker.lead(++term, machine.snapshot().sessions(), nowNanos);
    }

    /** Nobody leads, and so no clock of the cluster goes on. */
    void nobodyLeads(long millis) {
        nowNanos += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** The leader goes on, but what it proposes is not committed, and it can confirm nothing. */
    void loseMajority() {
        majority = false;
    }

    void findMajority() {
        majority = true;
        List<Runnable> late = List.copyOf(withoutMajority);
        withoutMajority.clear();
        late.forEach(Runnable::run);
    }

    /** All nodes start again from what they have on disk. */
    void restartAll() {
        machine = new LockStateMachine(machine.snapshot());
        nextLeader();
    }

    void advance(long millis) {
        advance(millis, () -> {});
    }

    /** Lets time pass; after each tick, clients may do something. */
    void advance(long millis, Runnable clients) {
        long untilNanos = nowNanos + TimeUnit.MILLISECONDS.toNanos(millis);
        while (nowNanos - untilNanos < 0) {
            nowNanos += SessionTicker.TICK_NANOS;
            ticker.turn(nowNanos);
            clients.run();
        }
    }

    /** The leader does not run for so long. */
    void pause(long millis) {
        nowNanos += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    long clockMillis() {
        return clock.millis(nowNanos);
    }

    // -- clients

    SessionId open(long ttlMillis) {
        return ((Outcome.SessionOpened)
                        apply(
                                new Command.OpenSession(
                                        new SessionSecret(1, ++secrets),
                                        ttlMillis,
                                        new ClientMetadata("", "", 1))))
                .session();
    }

    Outcome lock(SessionId session, long number, String name, long maxHoldMillis) {
        return apply(
                new Command.Acquire(
                        session, number, 0, new LockName(name), number, true, maxHoldMillis, ""));
    }

    /** Sends a keep-alive; the answers are added to the list. */
    void keepAlive(SessionId session, List<String> answers) {
        heard.put(session, time.at(nowNanos));
        ticker.keepAlive(session, new Heard(answers));
    }

    boolean isOpen(SessionId session) {
        return machine.lastCommand(session).isPresent();
    }

    Outcome apply(Command command) {
        Applied applied = machine.apply(++index, new Entry(clockMillis(), List.of(command)));
        applied.notices().forEach(this::tell);
        return applied.outcomes().get(0);
    }

    private void tell(Notice notice) {
        if (notice instanceof Notice.SessionStarted started) {
            ticker.sessionStarted(started.session(), started.ttlMillis(), nowNanos);
        } else if (notice instanceof Notice.SessionEnded end) {
            ended.add(end.session());
            ticker.sessionEnded(end.session());
        }
    }

    // -- what a ticker needs

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
        return formatOfAll;
    }

    @Override
    public void propose(long inTerm, Command command, Consumer<ProposalResult> result) {
        proposed.add(command);
        if (majority) {
            apply(command);
            result.accept(ProposalResult.APPLIED);
        } else {
            withoutMajority.add(
                    () -> {
                        apply(command);
                        result.accept(ProposalResult.APPLIED);
                    });
        }
    }

    @Override
    public void confirmLeadership(Consumer<Boolean> confirmed) {
        confirmed.accept(majority);
    }
}
