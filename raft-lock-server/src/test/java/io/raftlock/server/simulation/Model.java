package io.raftlock.server.simulation;

import static io.raftlock.server.simulation.Violation.require;

import io.raftlock.protocol.EndReason;
import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.LockName;
import io.raftlock.protocol.SessionId;
import io.raftlock.server.lock.Applied;
import io.raftlock.server.lock.Claim;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.Entry;
import io.raftlock.server.lock.LockRecord;
import io.raftlock.server.lock.LogPosition;
import io.raftlock.server.lock.Notice;
import io.raftlock.server.lock.Outcome;
import io.raftlock.server.lock.SessionRecord;
import io.raftlock.server.lock.Snapshot;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who holds and awaits what, made of commands and outcomes alone, by plainer means than the state
 * machine's: nothing is forgotten here, so whatever takes effect twice shows.
 */
final class Model {
    private record Ask(SessionId session, long number, long owner, long maxHoldMillis) {}

    private static final class Mutex {
        Ask holder;
        long token;
        long deadlineMillis;
        long highestToken;
        final ArrayDeque<Ask> queue = new ArrayDeque<>();
    }

    private static final class Known {
        final Command.OpenSession open;
        boolean ended;
        long lastCommand;
        long deadlineMillis;
        long answeredUpTo;
        final Map<Long, Outcome> answers = new HashMap<>();

        /** What each request has been answered at any time: it changes when a wait ends. */
        final Map<Long, Set<Outcome>> given = new HashMap<>();

        Known(Command.OpenSession open, long position) {
            this.open = open;
            lastCommand = position;
        }

        void spoke(long position) {
            lastCommand = position;
            deadlineMillis = 0;
        }

        void answer(long number, Outcome outcome) {
            answers.put(number, outcome);
            given.computeIfAbsent(number, any -> new HashSet<>()).add(outcome);
        }
    }

    private final Map<LockName, Mutex> locks = new HashMap<>();
    private final Map<SessionId, Known> sessions = new HashMap<>();
    private List<Notice> expected = new ArrayList<>();
    private long clockMillis;
    private int format = Snapshot.FIRST_FORMAT;
    private long grants;

    long grants() {
        return grants;
    }

    void apply(long index, Entry entry, Applied effect) {
        clockMillis = Math.max(clockMillis, entry.stampMillis());
        expected = new ArrayList<>();
        for (int slot = 0; slot < entry.commands().size(); slot++) {
            Command command = entry.commands().get(slot);
            Outcome outcome = effect.outcomes().get(slot);
            Outcome right = outcomeOf(LogPosition.of(index, slot).value(), command);
            require(
                    outcome.equals(right),
                    "%s has the outcome %s instead of %s",
                    command,
                    outcome,
                    right);
        }
        require(
                effect.notices().size() == expected.size()
                        && new HashSet<>(effect.notices()).equals(new HashSet<>(expected)),
                "notices are %s instead of %s",
                effect.notices(),
                expected);
    }

    private Outcome outcomeOf(long at, Command command) {
        return switch (command.kind()) {
            case OPEN_SESSION -> open(at, (Command.OpenSession) command);
            case CLOSE_SESSION -> close(at, (Command.CloseSession) command);
            case EXPIRE_SESSION -> expire(at, (Command.ExpireSession) command);
            case EXPIRE_HOLD -> expireHold(at, (Command.ExpireHold) command);
            case NOTE_SILENCE -> noteSilence((Command.NoteSilence) command);
            case NOTE_ALIVE -> noteAlive(at, ((Command.NoteAlive) command).session());
            case STAMP -> new Outcome.Done();
            case RAISE_FORMAT -> raise(((Command.RaiseFormat) command).format());
            case MALFORMED -> new Outcome.Refused(ErrorCode.MALFORMED);
            case ACQUIRE, CANCEL_ACQUIRE, RELEASE -> once(at, (Command.Numbered) command);
        };
    }

    // -- sessions

    private Outcome open(long at, Command.OpenSession open) {
        for (Map.Entry<SessionId, Known> each : sessions.entrySet()) {
            Known known = each.getValue();
            if (!known.ended && known.open.secret().equals(open.secret())) {
                known.spoke(at);
                return new Outcome.SessionOpened(each.getKey(), known.open.ttlMillis());
            }
        }
        SessionId id = new SessionId(at);
        sessions.put(id, new Known(open, at));
        expected.add(new Notice.SessionStarted(id, open.ttlMillis()));
        return new Outcome.SessionOpened(id, open.ttlMillis());
    }

    private Outcome close(long at, Command.CloseSession close) {
        if (!isEnded(close.session())) {
            end(at, close.session(), EndReason.SESSION_CLOSED);
        }
        return new Outcome.SessionClosed();
    }

    private Outcome expire(long at, Command.ExpireSession expire) {
        SessionId id = expire.session();
        if (isEnded(id) || sessions.get(id).lastCommand != expire.lastCommand()) {
            return new Outcome.Overtaken();
        }
        end(at, id, EndReason.SESSION_EXPIRED);
        return new Outcome.Done();
    }

    private Outcome noteSilence(Command.NoteSilence note) {
        Known session = sessions.get(note.session());
        if (isEnded(note.session())
                || session.lastCommand != note.lastCommand()
                || session.deadlineMillis != 0) {
            return new Outcome.Overtaken();
        }
        session.deadlineMillis = clockMillis + session.open.ttlMillis() - note.silentMillis();
        return new Outcome.Done();
    }

    private Outcome noteAlive(long at, SessionId id) {
        if (isEnded(id)) {
            return new Outcome.Overtaken();
        }
        sessions.get(id).spoke(at);
        return new Outcome.Done();
    }

    private Outcome raise(int newFormat) {
        if (newFormat <= format) {
            return new Outcome.Overtaken();
        }
        format = newFormat;
        return new Outcome.Done();
    }

    private void end(long at, SessionId id, EndReason reason) {
        sessions.get(id).ended = true;
        locks.values().forEach(lock -> lock.queue.removeIf(ask -> ask.session().equals(id)));
        for (Mutex lock : locks.values()) {
            if (lock.holder != null && lock.holder.session().equals(id)) {
                passOn(at, lock);
            }
        }
        expected.add(new Notice.SessionEnded(id, reason));
    }

    boolean isEnded(SessionId session) {
        return !sessions.containsKey(session) || sessions.get(session).ended;
    }

    // -- requests

    private Outcome once(long at, Command.Numbered command) {
        if (isEnded(command.session())) {
            return new Outcome.Refused(ErrorCode.SESSION_EXPIRED);
        }
        Known session = sessions.get(command.session());
        session.spoke(at);
        session.answeredUpTo = Math.max(session.answeredUpTo, command.answeredUpTo());
        if (command.number() <= session.answeredUpTo) {
            return new Outcome.Refused(ErrorCode.ALREADY_COMPLETED);
        }
        if (!session.answers.containsKey(command.number())) {
            session.answer(command.number(), first(at, command));
        }
        return session.answers.get(command.number());
    }

    private Outcome first(long at, Command.Numbered command) {
        if (command instanceof Command.Acquire acquire) {
            return acquire(at, acquire);
        }
        if (command instanceof Command.CancelAcquire cancel) {
            return cancel(at, cancel);
        }
        Command.Release release = (Command.Release) command;
        Mutex lock = lock(release.name());
        if (lock.holder == null
                || lock.token != release.token()
                || lock.holder.owner() != release.owner()
                || !lock.holder.session().equals(release.session())) {
            return new Outcome.Refused(ErrorCode.NOT_HOLDER);
        }
        passOn(at, lock);
        return new Outcome.Released();
    }

    private Outcome acquire(long at, Command.Acquire acquire) {
        Mutex lock = lock(acquire.name());
        Ask ask =
                new Ask(
                        acquire.session(),
                        acquire.number(),
                        acquire.owner(),
                        acquire.maxHoldMillis());
        if (lock.holder == null) {
            return grant(at, lock, ask);
        }
        if (isSameOwner(lock.holder, ask)
                || lock.queue.stream().anyMatch(other -> isSameOwner(other, ask))) {
            return new Outcome.Refused(ErrorCode.ALREADY_HELD);
        }
        if (!acquire.queue()) {
            return new Outcome.Refused(ErrorCode.NOT_AVAILABLE);
        }
        lock.queue.add(ask);
        return new Outcome.Queued(lock.queue.size());
    }

    private static boolean isSameOwner(Ask one, Ask other) {
        return one.session().equals(other.session()) && one.owner() == other.owner();
    }

    private Outcome cancel(long at, Command.CancelAcquire cancel) {
        Known session = sessions.get(cancel.session());
        Outcome cancelled = new Outcome.Refused(ErrorCode.CANCELLED);
        boolean found = false;
        for (Mutex lock : locks.values()) {
            if (lock.queue.removeIf(ask -> is(ask, cancel))) {
                found = true;
            } else if (lock.holder != null && is(lock.holder, cancel)) {
                found = true;
                passOn(at, lock);
            }
        }
        long number = cancel.acquireNumber();
        if (found || !session.answers.containsKey(number)) {
            session.answer(number, cancelled);
        }
        return new Outcome.Cancelled();
    }

    private static boolean is(Ask ask, Command.CancelAcquire cancel) {
        return ask.session().equals(cancel.session()) && ask.number() == cancel.acquireNumber();
    }

    private Outcome expireHold(long at, Command.ExpireHold expire) {
        Mutex lock = lock(expire.name());
        if (lock.holder == null
                || lock.token != expire.token()
                || lock.deadlineMillis == 0
                || lock.deadlineMillis > clockMillis) {
            return new Outcome.Overtaken();
        }
        expected.add(
                new Notice.HoldEnded(
                        lock.holder.session(),
                        lock.holder.number(),
                        lock.token,
                        EndReason.MAX_HOLD_REACHED));
        passOn(at, lock);
        return new Outcome.Done();
    }

    // -- holds

    private Mutex lock(LockName name) {
        return locks.computeIfAbsent(name, any -> new Mutex());
    }

    private void passOn(long at, Mutex lock) {
        lock.holder = null;
        Ask next = lock.queue.poll();
        if (next != null) {
            Outcome.Granted granted = grant(at, lock, next);
            sessions.get(next.session()).answer(next.number(), granted);
            expected.add(
                    new Notice.WaiterGranted(
                            next.session(),
                            next.number(),
                            granted.token(),
                            granted.deadlineMillis()));
        }
    }

    private Outcome.Granted grant(long at, Mutex lock, Ask ask) {
        require(lock.holder == null, "a lock has one holder");
        require(at > lock.highestToken, "token %d after %d", at, lock.highestToken);
        lock.holder = ask;
        lock.token = at;
        lock.highestToken = at;
        lock.deadlineMillis = ask.maxHoldMillis() == 0 ? 0 : clockMillis + ask.maxHoldMillis();
        grants++;
        return new Outcome.Granted(at, lock.deadlineMillis);
    }

    boolean isHeldBy(LockName name, SessionId session, long number, long token) {
        return isHeldBy(name, session, number) && lock(name).token == token;
    }

    boolean isHeldBy(LockName name, SessionId session, long number) {
        Mutex lock = lock(name);
        return lock.holder != null
                && lock.holder.number() == number
                && lock.holder.session().equals(session);
    }

    String holder(LockName name) {
        return String.valueOf(lock(name).holder);
    }

    /** Checks what a client was told against what the log said at some time. */
    void checkAnswer(SessionId id, long number, Outcome outcome) {
        if (outcome.equals(new Outcome.Refused(ErrorCode.SESSION_EXPIRED))) {
            require(isEnded(id), "session %s is said to have ended", id);
            return;
        }
        Known session = sessions.get(id);
        require(session != null, "an answer for a session that never was");
        boolean wasGiven = session.given.getOrDefault(number, Set.of()).contains(outcome);
        boolean isOver =
                outcome.equals(new Outcome.Refused(ErrorCode.ALREADY_COMPLETED))
                        && number <= session.answeredUpTo;
        require(wasGiven || isOver, "request %d of %s was answered %s", number, id, outcome);
    }

    // -- the state that a node has

    void compareWith(Snapshot state) {
        Set<LockName> held = new HashSet<>();
        for (LockRecord lock : state.locks()) {
            held.add(lock.name());
            Claim claim = lock.hold().claim();
            require(
                    isHeldBy(lock.name(), claim.session(), claim.number(), lock.hold().token()),
                    "%s is held by %s instead of %s",
                    lock.name(),
                    claim,
                    lock(lock.name()).holder);
            List<Long> waiting = lock.waiters().stream().map(Claim::number).toList();
            List<Long> inOrder = lock(lock.name()).queue.stream().map(Ask::number).toList();
            require(waiting.equals(inOrder), "%s instead of %s wait", waiting, inOrder);
        }
        locks.forEach(
                (name, lock) ->
                        require(
                                lock.holder != null == held.contains(name)
                                        && (lock.holder != null || lock.queue.isEmpty()),
                                "%s is held, or free, in the model alone",
                                name));
        Set<SessionId> open = new HashSet<>();
        for (SessionRecord session : state.sessions()) {
            open.add(session.id());
            Known known = sessions.get(session.id());
            require(
                    session.deadlineMillis() == known.deadlineMillis,
                    "session %s was noted silent, or alive, in the model alone",
                    session.id());
        }
        require(state.format() == format, "the format is %d, not %d", state.format(), format);
        sessions.forEach(
                (id, known) ->
                        require(
                                known.ended != open.contains(id),
                                "session %s is open, or ended, in the model alone",
                                id));
    }
}
