package io.raftlock.server.lock;

import io.raftlock.protocol.EndReason;
import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.LockName;
import io.raftlock.protocol.ProtocolLimits;
import io.raftlock.protocol.SessionId;
import io.raftlock.protocol.SessionSecret;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Sessions, locks and their queues, as the log makes them. Owned by one thread at a time.
 *
 * <p>Entries are applied in the order of their indexes, each once. Two state machines that applied
 * the same entries are equal, whether entry by entry or from a snapshot on.
 */
public final class LockStateMachine {
    private final Sessions sessions = new Sessions();
    private final Locks locks = new Locks();

    /** Added to every token, so that it can be raised above all tokens of an abandoned log. */
    private final long epochBase;

    private long appliedIndex;
    private long clockMillis;
    private int format;
    private List<Notice> notices = new ArrayList<>();

    public LockStateMachine() {
        this(Snapshot.EMPTY);
    }

    /** Makes a state machine that goes on where the snapshot was taken. */
    public LockStateMachine(Snapshot from) {
        epochBase = from.epochBase();
        appliedIndex = from.appliedIndex();
        clockMillis = from.clockMillis();
        format = from.format();
        from.sessions().forEach(saved -> sessions.add(new Session(saved)));
        from.locks().forEach(this::restore);
    }

    private void restore(LockRecord saved) {
        locks.restore(saved);
        remember(saved.hold().claim());
        saved.waiters().forEach(this::remember);
    }

    private void remember(Claim claim) {
        sessions.get(claim.session()).add(claim);
    }

    /** Applies the commands of one entry. Total: whatever stands in the entry has an outcome. */
    public Applied apply(long index, Entry entry) {
        Invariant.check(index > appliedIndex, "an entry is applied once, in order");
        appliedIndex = index;
        clockMillis = Math.max(clockMillis, entry.stampMillis());
        notices = new ArrayList<>();
        List<Outcome> outcomes = new ArrayList<>(entry.commands().size());
        for (Command command : entry.commands()) {
            outcomes.add(apply(LogPosition.of(index, outcomes.size()), command));
        }
        return new Applied(outcomes, notices);
    }

    private Outcome apply(LogPosition at, Command command) {
        return switch (command.kind()) {
            case OPEN_SESSION -> openSession(at, (Command.OpenSession) command);
            case CLOSE_SESSION -> closeSession(at, (Command.CloseSession) command);
            case EXPIRE_SESSION -> expireSession(at, (Command.ExpireSession) command);
            case NOTE_SILENCE -> noteSilence((Command.NoteSilence) command);
            case NOTE_ALIVE -> noteAlive(at, (Command.NoteAlive) command);
            case ACQUIRE, CANCEL_ACQUIRE, RELEASE -> applyOnce(at, (Command.Numbered) command);
            case EXPIRE_HOLD -> expireHold(at, (Command.ExpireHold) command);
            case STAMP -> new Outcome.Done();
            case RAISE_FORMAT -> raiseFormat((Command.RaiseFormat) command);
            case MALFORMED -> new Outcome.Refused(ErrorCode.MALFORMED);
        };
    }

    /** The log index of the last entry applied, or 0. */
    public long appliedIndex() {
        return appliedIndex;
    }

    /** The cluster clock, in milliseconds: the highest stamp applied. */
    public long clockMillis() {
        return clockMillis;
    }

    /** Shares the locks, so it is quick; what it returns can be read by any thread. */
    public Snapshot snapshot() {
        return new Snapshot(
                appliedIndex, clockMillis, epochBase, format, sessions.copy(), locks.share());
    }

    /** The newest format of entries and snapshots that all members are known to read. */
    public int format() {
        return format;
    }

    public int sessionCount() {
        return sessions.size();
    }

    public int holdCount() {
        return locks.heldCount();
    }

    public int waiterCount() {
        return locks.waiterCount();
    }

    /** Whether anything ends by the cluster clock, so that the clock has to go on in the log. */
    public boolean hasDeadlines() {
        return !locks.deadlines().isEmpty() || sessions.anyNotedSilent();
    }

    /** Returns the commands that end the holds whose deadline has come, at most so many. */
    public List<Command.ExpireHold> overdueHolds(long clockMillis, int limit) {
        return locks.deadlines().overdue(clockMillis, limit);
    }

    /** Returns the position of the session's last command, or empty if there is no such session. */
    public Optional<Long> lastCommand(SessionId id) {
        return Optional.ofNullable(sessions.find(id)).map(Session::lastCommand);
    }

    /** Returns the session's TTL if it is open, in milliseconds. */
    public Optional<Long> ttlMillis(SessionId id) {
        return Optional.ofNullable(sessions.find(id)).map(Session::ttlMillis);
    }

    /** Whether the session is open under another secret. */
    public boolean isSecretWrong(SessionId id, SessionSecret secret) {
        Session session = sessions.find(id);
        return session != null && !session.secret().equals(secret);
    }

    /** Returns what has become of an acquire of an open session. */
    public ClaimState claimState(SessionId id, long number) {
        Session session = sessions.find(id);
        Claim claim = session == null ? null : session.claim(number);
        if (claim == null) {
            return new ClaimState.Gone();
        }
        Hold hold = locks.get(claim).hold();
        return hold.claim().equals(claim) ? new ClaimState.Holding(hold) : new ClaimState.Waiting();
    }

    /** Whether the acquire would wait for its lock, were it applied now. */
    public boolean wouldQueue(Command.Acquire acquire) {
        Lock lock = acquire.queue() ? locks.find(acquire.name()) : null;
        return lock != null && !lock.isKnownTo(new Owner(acquire.session(), acquire.owner()));
    }

    // -- sessions

    private Outcome openSession(LogPosition at, Command.OpenSession open) {
        Session same = sessions.find(open.secret());
        if (same != null) {
            sessions.spoke(same, at);
            return new Outcome.SessionOpened(same.id(), same.ttlMillis());
        }
        if (open.ttlMillis() < ProtocolLimits.MIN_SESSION_TTL_MILLIS
                || open.ttlMillis() > ProtocolLimits.MAX_SESSION_TTL_MILLIS) {
            return new Outcome.Refused(ErrorCode.INVALID_TTL);
        }
        if (sessions.isFull()) {
            return new Outcome.Refused(ErrorCode.TOO_MANY_SESSIONS);
        }
        Session session = new Session(new SessionId(at.value()), open);
        sessions.add(session);
        notices.add(new Notice.SessionStarted(session.id(), session.ttlMillis()));
        return new Outcome.SessionOpened(session.id(), session.ttlMillis());
    }

    private Outcome closeSession(LogPosition at, Command.CloseSession close) {
        Session session = sessions.find(close.session());
        if (session == null) {
            return new Outcome.SessionClosed();
        }
        if (!session.secret().equals(close.secret())) {
            return new Outcome.Refused(ErrorCode.DENIED);
        }
        end(at, session, EndReason.SESSION_CLOSED);
        return new Outcome.SessionClosed();
    }

    private Outcome expireSession(LogPosition at, Command.ExpireSession expire) {
        Session session = sessions.find(expire.session());
        if (session == null || session.lastCommand() != expire.lastCommand()) {
            return new Outcome.Overtaken();
        }
        end(at, session, EndReason.SESSION_EXPIRED);
        return new Outcome.Done();
    }

    private Outcome noteSilence(Command.NoteSilence note) {
        Session session = sessions.find(note.session());
        if (session == null
                || session.lastCommand() != note.lastCommand()
                || session.isNotedSilent()) {
            return new Outcome.Overtaken();
        }
        if (note.silentMillis() < 0 || note.silentMillis() > session.ttlMillis()) {
            return new Outcome.Refused(ErrorCode.MALFORMED);
        }
        // The stamp is not older than the leader's count of the silence, so this is not too early.
        sessions.noteSilent(session, clockMillis - note.silentMillis() + session.ttlMillis());
        return new Outcome.Done();
    }

    private Outcome noteAlive(LogPosition at, Command.NoteAlive note) {
        Session session = sessions.find(note.session());
        if (session == null) {
            return new Outcome.Overtaken();
        }
        sessions.spoke(session, at);
        return new Outcome.Done();
    }

    private void end(LogPosition at, Session session, EndReason reason) {
        // All waits go before the first hold: else one lock could pass to another claim of the
        // session that ends.
        for (Claim claim : session.claims()) {
            if (!locks.isHeldBy(claim)) {
                stopWaiting(session, claim);
            }
        }
        for (Claim claim : session.claims()) {
            stopHolding(at, session, claim);
        }
        sessions.remove(session);
        notices.add(new Notice.SessionEnded(session.id(), reason));
    }

    // -- requests that take effect once

    private Outcome applyOnce(LogPosition at, Command.Numbered command) {
        Session session = sessions.find(command.session());
        if (session == null) {
            return new Outcome.Refused(ErrorCode.SESSION_EXPIRED);
        }
        sessions.spoke(session, at);
        if (command.number() <= 0 || command.answeredUpTo() >= command.number()) {
            return new Outcome.Refused(ErrorCode.MALFORMED);
        }
        session.requests().acknowledge(command.answeredUpTo());
        Outcome earlier = session.requests().earlier(command.number());
        if (earlier != null) {
            return earlier;
        }
        if (!session.requests().hasRoom()) {
            return new Outcome.Refused(ErrorCode.TOO_MANY_REQUESTS);
        }
        Outcome outcome = perform(at, session, command);
        session.requests().put(command.number(), outcome);
        return outcome;
    }

    private Outcome perform(LogPosition at, Session session, Command.Numbered command) {
        if (command instanceof Command.Acquire acquire) {
            return acquire(at, session, acquire);
        }
        if (command instanceof Command.CancelAcquire cancel) {
            return cancelAcquire(at, session, cancel);
        }
        return release(at, session, (Command.Release) command);
    }

    private Outcome acquire(LogPosition at, Session session, Command.Acquire acquire) {
        if (acquire.maxHoldMillis() < 0
                || acquire.maxHoldMillis() > ProtocolLimits.MAX_HOLD_MILLIS) {
            return new Outcome.Refused(ErrorCode.MALFORMED);
        }
        Claim claim =
                new Claim(
                        session.id(),
                        acquire.number(),
                        acquire.owner(),
                        acquire.name(),
                        acquire.maxHoldMillis(),
                        acquire.metadata());
        Lock lock = locks.find(acquire.name());
        if (lock == null) {
            Hold hold = grant(at, claim);
            locks.add(hold);
            session.add(claim);
            return new Outcome.Granted(hold.token(), hold.deadlineMillis());
        }
        return waitFor(lock, session, claim, acquire.queue());
    }

    private Outcome waitFor(Lock lock, Session session, Claim claim, boolean queue) {
        if (lock.isKnownTo(claim.holder())) {
            return new Outcome.Refused(ErrorCode.ALREADY_HELD);
        }
        if (!queue) {
            return new Outcome.Refused(ErrorCode.NOT_AVAILABLE);
        }
        if (lock.isFull()) {
            return new Outcome.Refused(ErrorCode.QUEUE_FULL);
        }
        session.add(claim);
        return new Outcome.Queued(locks.enqueue(claim));
    }

    private Outcome cancelAcquire(LogPosition at, Session session, Command.CancelAcquire cancel) {
        Outcome.Refused cancelled = new Outcome.Refused(ErrorCode.CANCELLED);
        Claim claim = session.claim(cancel.acquireNumber());
        if (claim == null) {
            // The acquire may be on its way still: then it finds that it has been answered.
            if (session.requests().earlier(cancel.acquireNumber()) == null) {
                session.requests().put(cancel.acquireNumber(), cancelled);
            }
            return new Outcome.Cancelled();
        }
        if (locks.isHeldBy(claim)) {
            stopHolding(at, session, claim);
        } else {
            stopWaiting(session, claim);
        }
        session.requests().update(claim.number(), cancelled);
        return new Outcome.Cancelled();
    }

    private Outcome release(LogPosition at, Session session, Command.Release release) {
        Lock lock = find(release.name(), release.token());
        if (lock == null || !lock.isHeldBy(new Owner(session.id(), release.owner()))) {
            return new Outcome.Refused(ErrorCode.NOT_HOLDER);
        }
        stopHolding(at, session, lock.hold().claim());
        return new Outcome.Released();
    }

    private Outcome expireHold(LogPosition at, Command.ExpireHold expire) {
        Lock lock = find(expire.name(), expire.token());
        if (lock == null || !lock.hold().isOver(clockMillis)) {
            return new Outcome.Overtaken();
        }
        Hold hold = lock.hold();
        Claim claim = hold.claim();
        stopHolding(at, sessions.get(claim.session()), claim);
        notices.add(
                new Notice.HoldEnded(
                        claim.session(), claim.number(), hold.token(), EndReason.MAX_HOLD_REACHED));
        return new Outcome.Done();
    }

    private Outcome raiseFormat(Command.RaiseFormat raise) {
        if (raise.format() <= format) {
            return new Outcome.Overtaken();
        }
        format = raise.format();
        return new Outcome.Done();
    }

    // -- holds and waits

    private @Nullable Lock find(LockName name, long token) {
        Lock lock = locks.find(name);
        return lock != null && lock.hold().token() == token ? lock : null;
    }

    private void stopWaiting(Session session, Claim claim) {
        locks.dequeue(claim);
        session.remove(claim);
    }

    private void stopHolding(LogPosition at, Session session, Claim claim) {
        session.remove(claim);
        locks.passOn(claim, next -> grantWaiter(at, next));
    }

    private Hold grantWaiter(LogPosition at, Claim next) {
        Hold hold = grant(at, next);
        Outcome.Granted granted = new Outcome.Granted(hold.token(), hold.deadlineMillis());
        // Who asks again gets what has become of the request: it does not wait any more.
        sessions.get(next.session()).requests().update(next.number(), granted);
        notices.add(
                new Notice.WaiterGranted(
                        next.session(), next.number(), hold.token(), hold.deadlineMillis()));
        return hold;
    }

    private Hold grant(LogPosition at, Claim claim) {
        long deadlineMillis = claim.maxHoldMillis() == 0 ? 0 : clockMillis + claim.maxHoldMillis();
        return new Hold(claim, epochBase + at.value(), deadlineMillis);
    }
}
