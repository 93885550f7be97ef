package io.raftlock.server.session;

import io.raftlock.protocol.SessionId;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.LockStateMachine;
import io.raftlock.server.lock.SessionRecord;
import io.raftlock.server.session.LiveSessions.Timer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * What one leader does for the time of one term. Owned by the tick thread; answers from elsewhere
 * are posted to it. A term that is over ignores them.
 */
final class LeaderTerm {
    /** Bounds how many expiries of sessions, and of leases, are under way at once. */
    static final int MAX_EXPIRING = 512;

    /**
     * From the start of one round to that of the next at least: a round costs the same for one
     * keep-alive as for all that have come.
     */
    static final long ROUND_GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long IDLE_STAMP_MILLIS = 1_000;

    /** A session that is silent for this part of its TTL is noted so. */
    private static final int SILENT_PART = 3;

    /** What a client gets to find a new leader in, if its time is nearly over: this, or a part. */
    private static final long MAX_GRACE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private static final int GRACE_PART = 4;

    private record Waiting(SessionId session, KeepAliveReply reply) {}

    private final long term;
    private final TickerPort port;
    private final Executor tickThread;
    private final LiveSessions sessions = new LiveSessions();
    private final Silences silences = new Silences(this::propose, this::answer);

    /** Sessions whose expiry is decided, with the keep-alives that came too late to stop it. */
    private final Map<SessionId, Expiry> expiring = new LinkedHashMap<>();

    private static final class Expiry {
        private final List<KeepAliveReply> late = new ArrayList<>();
        private boolean underWay = true;
    }

    private final Set<Command.ExpireHold> endingHolds = new LinkedHashSet<>();
    private List<Waiting> unconfirmed = new ArrayList<>();
    private List<Waiting> inRound = List.of();
    private boolean roundUnderWay;

    /** Before this no round starts. */
    private long roundDueNanos;

    private boolean stampUnderWay;
    private boolean formatUnderWay;
    private boolean over;

    LeaderTerm(long term, TickerPort port, Executor tickThread, long nowNanos) {
        this.term = term;
        this.port = port;
        this.tickThread = tickThread;
        roundDueNanos = nowNanos;
    }

    void sessionStarted(SessionId session, long ttlMillis, long leaderNanos) {
        long ttlNanos = TimeUnit.MILLISECONDS.toNanos(ttlMillis);
        listen(session, ttlNanos, leaderNanos, leaderNanos + ttlNanos);
    }

    /**
     * Goes on with a session of the leader before. The keep-alives that one heard are not known, so
     * the session gets its whole TTL again, or what it had left when it was noted silent.
     */
    void sessionTakenOver(SessionRecord session, long clockMillis, long leaderNanos) {
        if (session.deadlineMillis() == 0) {
            sessionStarted(session.id(), session.ttlMillis(), leaderNanos);
            return;
        }
        silences.known(session.id());
        long ttlNanos = TimeUnit.MILLISECONDS.toNanos(session.ttlMillis());
        long leftNanos = TimeUnit.MILLISECONDS.toNanos(session.deadlineMillis() - clockMillis);
        long graceNanos = Math.min(MAX_GRACE_NANOS, ttlNanos / GRACE_PART);
        long givenNanos = Math.min(ttlNanos, Math.max(0, leftNanos) + graceNanos);
        listen(session.id(), ttlNanos, leaderNanos, leaderNanos + givenNanos);
    }

    private void listen(SessionId session, long ttlNanos, long sinceNanos, long givenNanos) {
        long silentAt = sinceNanos + ttlNanos / SILENT_PART;
        sessions.set(
                new Timer(
                        session, ttlNanos, sinceNanos, givenNanos, earlier(givenNanos, silentAt)));
    }

    void sessionEnded(SessionId session) {
        sessions.remove(session);
        silences.ended(session);
        Expiry ended = expiring.remove(session);
        if (ended != null) {
            ended.late.forEach(KeepAliveReply::expired);
        }
    }

    void keepAlive(SessionId session, KeepAliveReply reply) {
        unconfirmed.add(new Waiting(session, reply));
    }

    void end() {
        over = true;
        inRound.forEach(waiting -> waiting.reply().unconfirmed());
        unconfirmed.forEach(waiting -> waiting.reply().unconfirmed());
        expiring.values().forEach(expiry -> expiry.late.forEach(KeepAliveReply::unconfirmed));
        silences.end();
    }

    private void propose(Command command, Consumer<ProposalResult> result) {
        port.propose(
                term,
                command,
                given ->
                        tickThread.execute(
                                () -> {
                                    if (!over) {
                                        result.accept(given);
                                    }
                                }));
    }

    // -- keep-alives

    /**
     * Starts a round for all keep-alives that have arrived, unless one is under way or was begun
     * just now. Returns for how long it need not be called unless something else has happened, at
     * most that time.
     */
    long confirm(long nowNanos, long maxNanos) {
        if (roundUnderWay || unconfirmed.isEmpty()) {
            return maxNanos;
        }
        long dueInNanos = roundDueNanos - nowNanos;
        if (dueInNanos > 0) {
            return Math.min(dueInNanos, maxNanos);
        }
        startRound(nowNanos);
        return maxNanos;
    }

    private void startRound(long nowNanos) {
        roundDueNanos = nowNanos + ROUND_GAP_NANOS;
        roundUnderWay = true;
        inRound = unconfirmed;
        unconfirmed = new ArrayList<>();
        port.confirmLeadership(confirmed -> tickThread.execute(() -> roundEnded(confirmed)));
    }

    private void roundEnded(boolean confirmed) {
        if (over) {
            return;
        }
        List<Waiting> answered = inRound;
        inRound = List.of();
        roundUnderWay = false;
        if (confirmed) {
            answered.forEach(waiting -> answer(waiting.session(), waiting.reply()));
        } else {
            answered.forEach(waiting -> waiting.reply().unconfirmed());
        }
    }

    private void answer(SessionId session, KeepAliveReply reply) {
        Expiry expiry = expiring.get(session);
        if (expiry != null) {
            // The expiry may be applied after this: then the client must not have been told that
            // its session lives. It waits for what the log says.
            expiry.late.add(reply);
        } else if (silences.contains(session)) {
            silences.heard(session, reply);
        } else {
            answerFromState(session, reply);
        }
    }

    private void answerFromState(SessionId session, KeepAliveReply reply) {
        if (lastCommand(session).isPresent()) {
            reply.alive();
        } else {
            reply.expired();
        }
    }

    private Optional<Long> lastCommand(SessionId session) {
        return port.read(state -> state.lastCommand(session));
    }

    // -- expiry

    /**
     * Looks at the sessions whose time has come: notes who is silent, ends who was for too long.
     */
    void reviewSessions(long leaderNanos) {
        boolean mayNote = port.read(LockStateMachine::format) >= Command.Kind.NOTE_SILENCE.format();
        Timer due = sessions.due(leaderNanos);
        while (due != null && expiring.size() < MAX_EXPIRING && silences.hasRoom()) {
            review(due, leaderNanos, mayNote);
            due = sessions.due(leaderNanos);
        }
    }

    private void review(Timer due, long leaderNanos, boolean mayNote) {
        OptionalLong heard = port.lastHeardNanos(due.session());
        long deadline = deadline(due, heard);
        long lastWord = later(due.sinceNanos(), heard.orElse(due.sinceNanos()));
        long silentAt = lastWord + due.ttlNanos() / SILENT_PART;
        boolean isWatched = mayNote && !silences.contains(due.session());
        if (deadline - leaderNanos <= 0) {
            sessions.set(due.at(leaderNanos + RETRY_NANOS));
            expire(due.session());
        } else if (isWatched && silentAt - leaderNanos <= 0) {
            sessions.set(due.at(earlier(deadline, leaderNanos + RETRY_NANOS)));
            noteSilence(due.session(), leaderNanos - lastWord);
        } else {
            sessions.set(due.at(isWatched ? earlier(deadline, silentAt) : deadline));
        }
    }

    private static long deadline(Timer due, OptionalLong heard) {
        return heard.isPresent()
                ? later(due.givenNanos(), heard.getAsLong() + due.ttlNanos())
                : due.givenNanos();
    }

    private static long later(long oneNanos, long otherNanos) {
        return oneNanos - otherNanos > 0 ? oneNanos : otherNanos;
    }

    private static long earlier(long oneNanos, long otherNanos) {
        return oneNanos - otherNanos < 0 ? oneNanos : otherNanos;
    }

    private void noteSilence(SessionId session, long silentNanos) {
        Optional<Long> lastCommand = lastCommand(session);
        if (lastCommand.isPresent()) {
            silences.note(
                    new Command.NoteSilence(
                            session,
                            lastCommand.get(),
                            TimeUnit.NANOSECONDS.toMillis(silentNanos)));
        }
    }

    private void expire(SessionId session) {
        Expiry known = expiring.get(session);
        Optional<Long> lastCommand = lastCommand(session);
        if (lastCommand.isEmpty() || (known != null && known.underWay)) {
            return;
        }
        Expiry expiry = known == null ? new Expiry() : known;
        expiry.underWay = true;
        expiring.put(session, expiry);
        propose(
                new Command.ExpireSession(session, lastCommand.get()),
                result -> expiryEnded(session, result));
    }

    private void expiryEnded(SessionId session, ProposalResult result) {
        Expiry expiry = expiring.get(session);
        if (expiry == null) {
            return;
        }
        expiry.underWay = false;
        // If the outcome is unknown the expiry may still be applied, so nothing is confirmed. It is
        // proposed again: once that has been applied, the first one has been too, or never will.
        if (result != ProposalResult.UNKNOWN) {
            expiring.remove(session);
            expiry.late.forEach(reply -> answer(session, reply));
        }
    }

    // -- explicit leases

    void expireHolds(long clockMillis) {
        int room = MAX_EXPIRING - endingHolds.size();
        for (Command.ExpireHold overdue : overdueHolds(clockMillis)) {
            if (room > 0 && endingHolds.add(overdue)) {
                room--;
                propose(overdue, result -> endingHolds.remove(overdue));
            }
        }
    }

    private List<Command.ExpireHold> overdueHolds(long clockMillis) {
        return port.read(state -> state.overdueHolds(clockMillis, MAX_EXPIRING));
    }

    /** Bounds by how much a failover in an idle log can prolong a lease. */
    void stamp(long clockMillis) {
        if (stampUnderWay || !port.read(state -> isStampDue(state, clockMillis))) {
            return;
        }
        stampUnderWay = true;
        propose(new Command.Stamp(), result -> stampUnderWay = false);
    }

    private static boolean isStampDue(LockStateMachine state, long clockMillis) {
        return state.hasDeadlines() && clockMillis - state.clockMillis() >= IDLE_STAMP_MILLIS;
    }

    // -- versions

    /** Lets the log say what all members read by now. */
    void raiseFormat() {
        int format = port.formatOfAll();
        if (!formatUnderWay && format > port.read(LockStateMachine::format)) {
            formatUnderWay = true;
            propose(new Command.RaiseFormat(format), result -> formatUnderWay = false);
        }
    }
}
