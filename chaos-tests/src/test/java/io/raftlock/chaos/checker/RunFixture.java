package io.raftlock.chaos.checker;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.Event.Action;
import io.raftlock.chaos.history.Event.Phase;
import io.raftlock.chaos.history.Event.Result;
import io.raftlock.chaos.history.RunHistory;
import io.raftlock.chaos.ledger.Ledger;
import io.raftlock.chaos.ledger.LogFixture;
import io.raftlock.protocol.SessionId;
import io.raftlock.server.lock.Outcome;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A run, made by hand: a log, and what clients say of it, which may be something else. Times are
 * milliseconds. Each client is a process of its own name, with one session.
 */
final class RunFixture {
    static final long MILLI = 1_000_000;

    private final LogFixture log = new LogFixture();
    private final List<Event> events = new ArrayList<>();
    private final Map<String, SessionId> sessions = new HashMap<>();
    private final Map<Long, Long> owners = new HashMap<>();
    private long lastCall;

    LogFixture log() {
        return log;
    }

    SessionId session(String client) {
        return sessions.computeIfAbsent(client, log::open);
    }

    RunFixture event(Event event) {
        events.add(event);
        return this;
    }

    long lastCall() {
        return lastCall;
    }

    /** A call begins; it has an answer only if one is reported for its id. */
    long invoked(String client, Action action, String lock, long token, long at) {
        events.add(new Event.Invoked(at * MILLI, ++lastCall, client, 1, action, lock, token));
        return lastCall;
    }

    RunFixture returned(long call, Result result, long token, long at) {
        events.add(new Event.Returned(at * MILLI, call, result, token, ""));
        return this;
    }

    /** Has the log take the lock for the call that began last, and returns the log's answer. */
    Outcome logAcquire(String client, String lock, boolean queue) {
        SessionId session = session(client);
        Outcome outcome = log.acquire(session, lock, lastCall, queue);
        if (outcome instanceof Outcome.Granted granted) {
            owners.put(granted.token(), log.lastNumber());
        }
        return outcome;
    }

    /** The client takes a free lock, and is told so. Returns the token. */
    long lock(String client, String lock, long from, long to) {
        session(client);
        long call = invoked(client, Action.LOCK, lock, 0, from);
        long token = ((Outcome.Granted) logAcquire(client, lock, true)).token();
        returned(call, Result.OK, token, to);
        return token;
    }

    /** The client finds the lock taken, in the log and in its answer. */
    RunFixture busy(String client, String lock, long from, long to) {
        session(client);
        long call = invoked(client, Action.TRY_LOCK, lock, 0, from);
        logAcquire(client, lock, false);
        return returned(call, Result.FAIL, 0, to);
    }

    /** The client gives the lock up, and is told so. */
    RunFixture release(String client, String lock, long token, long from, long to) {
        long call = invoked(client, Action.RELEASE, lock, token, from);
        logRelease(client, lock, token);
        return returned(call, Result.OK, 0, to);
    }

    Outcome logRelease(String client, String lock, long token) {
        return log.release(session(client), lock, owners.getOrDefault(token, 0L), token);
    }

    RunFixture believes(long call, long at) {
        return event(new Event.Believed(at * MILLI, call, true, false));
    }

    RunFixture phase(Phase phase, long at) {
        return event(new Event.PhaseBegan(at * MILLI, phase));
    }

    RunFixture fault(int step, String kind, String targets, long from, long to, String proof) {
        event(new Event.FaultBegan(from * MILLI, step, kind, targets, "n1", 1));
        return event(new Event.FaultEnded(to * MILLI, step, kind, proof));
    }

    RunFixture seen(String node, String role, long term, long index, String digest, long at) {
        return event(
                new Event.NodeSeen(at * MILLI, node, role, term, "n1", index, digest, 0, 0, 0));
    }

    /** A node says what the log's own state is. */
    RunFixture seenWell(String node, String role, long at) {
        return seen(node, role, 1, log.index(), log.digest(), at);
    }

    Evidence evidence() {
        return evidence(CheckSettings.DEFAULT);
    }

    Evidence evidence(CheckSettings settings) {
        RunHistory history = RunHistory.of(events);
        Ledger ledger =
                Ledger.of(
                        List.of(log.journal("n1-1"), log.journal("n2-1")), history.digestIndexes());
        return new Evidence(history, ledger, settings);
    }
}
