package io.raftlock.server.session;

import io.raftlock.protocol.SessionId;
import io.raftlock.server.lock.Command;
import io.raftlock.server.session.LiveSessions.Timer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * What one leader does for the time of one term. Owned by the tick thread; answers from elsewhere
 * are posted to it. A term that is over ignores them.
 */
final class LeaderTerm {
    /** Bounds how many expiries of sessions, and of leases, are under way at once. */
    static final int MAX_EXPIRING = 512;

    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long IDLE_STAMP_MILLIS = 1_000;

    private record Waiting(SessionId session, KeepAliveReply reply) {}

    private final long term;
    private final TickerPort port;
    private final Executor tickThread;
    private final LiveSessions sessions = new LiveSessions();

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
    private boolean stampUnderWay;
    private boolean over;

    LeaderTerm(long term, TickerPort port, Executor tickThread) {
        this.term = term;
        this.port = port;
        this.tickThread = tickThread;
    }

    void sessionStarted(SessionId session, long ttlMillis, long leaderNanos) {
        long ttlNanos = TimeUnit.MILLISECONDS.toNanos(ttlMillis);
        sessions.set(new Timer(session, ttlNanos, leaderNanos + ttlNanos));
    }

    void sessionEnded(SessionId session) {
        sessions.remove(session);
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
    }

    // -- keep-alives

    /** Starts a round for all keep-alives that have arrived, unless one is under way. */
    void confirm() {
        if (roundUnderWay || unconfirmed.isEmpty()) {
            return;
        }
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
            answered.forEach(this::answer);
        } else {
            answered.forEach(waiting -> waiting.reply().unconfirmed());
        }
    }

    private void answer(Waiting waiting) {
        Expiry expiry = expiring.get(waiting.session());
        if (expiry != null) {
            // The expiry may be applied after this: then the client must not have been told that
            // its session lives. It waits for what the log says.
            expiry.late.add(waiting.reply());
        } else {
            answerFromState(waiting.session(), waiting.reply());
        }
    }

    private void answerFromState(SessionId session, KeepAliveReply reply) {
        if (port.lastCommand(session).isPresent()) {
            reply.alive();
        } else {
            reply.expired();
        }
    }

    // -- expiry

    void expireSessions(long leaderNanos) {
        Timer due = sessions.due(leaderNanos);
        while (due != null && expiring.size() < MAX_EXPIRING) {
            review(due, leaderNanos);
            due = sessions.due(leaderNanos);
        }
    }

    private void review(Timer due, long leaderNanos) {
        long deadline = deadline(due);
        if (deadline - leaderNanos > 0) {
            sessions.set(due.at(deadline));
            return;
        }
        sessions.set(due.at(leaderNanos + RETRY_NANOS));
        OptionalLong lastCommand = port.lastCommand(due.session());
        if (lastCommand.isPresent()) {
            expire(due.session(), lastCommand.getAsLong());
        }
    }

    private long deadline(Timer due) {
        OptionalLong heard = port.lastHeardNanos(due.session());
        if (heard.isEmpty()) {
            return due.atNanos();
        }
        long deadline = heard.getAsLong() + due.ttlNanos();
        return deadline - due.atNanos() > 0 ? deadline : due.atNanos();
    }

    private void expire(SessionId session, long lastCommand) {
        Expiry known = expiring.get(session);
        if (known != null && known.underWay) {
            return;
        }
        Expiry expiry = known == null ? new Expiry() : known;
        expiry.underWay = true;
        expiring.put(session, expiry);
        port.propose(
                term,
                new Command.ExpireSession(session, lastCommand),
                result -> tickThread.execute(() -> expiryEnded(session, result)));
    }

    private void expiryEnded(SessionId session, ProposalResult result) {
        Expiry expiry = expiring.get(session);
        if (over || expiry == null) {
            return;
        }
        expiry.underWay = false;
        // If the outcome is unknown the expiry may still be applied, so nothing is confirmed. It is
        // proposed again: once that has been applied, the first one has been too, or never will.
        if (result != ProposalResult.UNKNOWN) {
            expiring.remove(session);
            expiry.late.forEach(reply -> answerFromState(session, reply));
        }
    }

    // -- explicit leases

    void expireHolds(long clockMillis) {
        int room = MAX_EXPIRING - endingHolds.size();
        for (Command.ExpireHold overdue : port.overdueHolds(clockMillis, MAX_EXPIRING)) {
            if (room > 0 && endingHolds.add(overdue)) {
                room--;
                port.propose(
                        term,
                        overdue,
                        result -> tickThread.execute(() -> endingHolds.remove(overdue)));
            }
        }
    }

    /** Bounds by how much a failover in an idle log can prolong a lease. */
    void stamp(long clockMillis) {
        if (stampUnderWay
                || clockMillis - port.appliedClockMillis() < IDLE_STAMP_MILLIS
                || !port.hasHoldDeadlines()) {
            return;
        }
        stampUnderWay = true;
        port.propose(
                term,
                new Command.Stamp(),
                result -> tickThread.execute(() -> stampUnderWay = false));
    }
}
