package io.raftlock.server.net;

import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.Response;
import io.raftlock.protocol.ResponseFrame;
import io.raftlock.protocol.SessionId;
import io.raftlock.server.lock.ClaimState;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.LockStateMachine;
import io.raftlock.server.lock.Outcome;
import io.raftlock.server.raft.ReplicatedLog;
import io.raftlock.server.raft.Verdict;
import io.raftlock.server.session.ClusterClock;
import io.raftlock.server.session.KeepAliveReply;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What becomes of each request, and the one place that turns outcomes into responses. Called on the
 * event loops; verdicts come on the apply thread, keep-alives are answered on the tick thread.
 */
public final class RequestRouter {
    private final NodeFacts facts;
    private final ReplicatedLog log;
    private final ClusterClock clock;
    private final ConnectedSessions sessions;
    private final KeepAlives keepAlives;
    private final PendingFlushes flushes;
    private final Set<ClientConnection> connections = ConcurrentHashMap.newKeySet();

    RequestRouter(
            NodeFacts facts,
            ReplicatedLog log,
            ClusterClock clock,
            ConnectedSessions sessions,
            KeepAlives keepAlives,
            PendingFlushes flushes) {
        this.facts = facts;
        this.log = log;
        this.clock = clock;
        this.sessions = sessions;
        this.keepAlives = keepAlives;
        this.flushes = flushes;
    }

    void opened(ClientConnection connection) {
        connections.add(connection);
    }

    void closed(ClientConnection connection) {
        connections.remove(connection);
    }

    Response welcome() {
        return facts.welcome();
    }

    /** Tells all clients who leads: another member, or this node itself. */
    void leaderHeard() {
        String leader = log.isLeading() ? facts.ownAddress() : leaderAddress();
        if (!leader.isEmpty()) {
            tellAll(leader);
        }
    }

    private void tellAll(String leader) {
        Response response = new Response.NotLeader(leader);
        connections.forEach(connection -> connection.send(ResponseFrame.PUSH, response));
    }

    /** Tells all clients that this node leads no more. */
    void leaderLost() {
        String leader = leaderAddress();
        connections.forEach(connection -> connection.leaderLost(leader));
    }

    void route(ClientConnection from, long callId, Request request) {
        switch (request.kind()) {
            case HELLO ->
                    from.send(
                            callId, new Response.Refused(ErrorCode.MALFORMED, "Hello came twice"));
            case STATUS -> facts.status(status -> from.send(callId, status));
            case OPEN_SESSION,
                    ATTACH,
                    CLOSE_SESSION,
                    KEEP_ALIVE,
                    ACQUIRE,
                    CANCEL_ACQUIRE,
                    RELEASE ->
                    routeToLeader(from, callId, request);
        }
    }

    private void routeToLeader(ClientConnection from, long callId, Request request) {
        if (!log.isLeading()) {
            from.send(callId, notLeader());
            return;
        }
        switch (request.kind()) {
            case OPEN_SESSION -> openSession(from, callId, (Request.OpenSession) request);
            case ATTACH -> attach(from, callId, (Request.Attach) request);
            case CLOSE_SESSION -> closeSession(from, callId, (Request.CloseSession) request);
            case KEEP_ALIVE -> keepAlive(from, callId, (Request.KeepAlive) request);
            case ACQUIRE -> acquire(from, callId, (Request.Acquire) request);
            case CANCEL_ACQUIRE -> cancelAcquire(from, callId, (Request.CancelAcquire) request);
            case RELEASE -> release(from, callId, (Request.Release) request);
            case HELLO, STATUS -> throw new IllegalArgumentException("not for the leader alone");
        }
    }

    // -- sessions

    private void openSession(ClientConnection from, long callId, Request.OpenSession request) {
        if (!facts.allowsTtl(request.ttlMillis())) {
            from.send(callId, new Response.Refused(ErrorCode.INVALID_TTL, facts.ttlBounds()));
            return;
        }
        Command open =
                new Command.OpenSession(request.secret(), request.ttlMillis(), request.metadata());
        log.propose(open, verdict -> answerOpened(from, callId, verdict));
    }

    private void answerOpened(ClientConnection from, long callId, Verdict verdict) {
        if (verdict instanceof Verdict.Done done
                && done.outcome() instanceof Outcome.SessionOpened opened) {
            attach(from, opened.session());
        }
        answer(from, callId, 0, verdict);
    }

    private void attach(ClientConnection from, long callId, Request.Attach request) {
        if (log.read(state -> state.isSecretWrong(request.session(), request.secret()))) {
            from.send(
                    callId,
                    new Response.Refused(ErrorCode.DENIED, "the secret is not the session's"));
        } else if (log.read(state -> state.lastCommand(request.session()).isPresent())) {
            attached(from, callId, request.session());
        } else {
            // Another node may lead and know the session: only a majority can say that it is gone.
            keepAlives.ask(
                    request.session(), reply(from, callId, () -> attach(from, callId, request)));
        }
    }

    private void attached(ClientConnection from, long callId, SessionId session) {
        from.send(callId, attach(from, session) ? new Response.Attached(session) : notLeader());
    }

    /**
     * Makes the connection speak for the session, unless this node stopped to lead meanwhile: its
     * sessions are forgotten then, and the connection would be heard by nobody.
     */
    private boolean attach(ClientConnection from, SessionId session) {
        SessionLine line = sessions.attach(session, from);
        from.attached(session, line);
        if (sessions.isOpen(session, line)) {
            return true;
        }
        from.detached();
        return false;
    }

    private void closeSession(ClientConnection from, long callId, Request.CloseSession request) {
        log.propose(
                new Command.CloseSession(request.session(), request.secret()),
                verdict -> answer(from, callId, 0, verdict));
    }

    private void keepAlive(ClientConnection from, long callId, Request.KeepAlive request) {
        if (isAllowed(from, callId, request.session())) {
            keepAlives.ask(
                    request.session(),
                    reply(from, callId, () -> from.send(callId, keptAlive(request))));
        }
    }

    private Response keptAlive(Request.KeepAlive request) {
        return log.read(state -> keptAlive(state, request));
    }

    private Response keptAlive(LockStateMachine state, Request.KeepAlive request) {
        List<Response.Grant> grants = new ArrayList<>();
        List<Long> gone = new ArrayList<>();
        for (long number : request.pending()) {
            ClaimState claim = state.claimState(request.session(), number);
            if (claim instanceof ClaimState.Holding holding) {
                grants.add(
                        new Response.Grant(
                                number, holding.hold().token(), holding.hold().deadlineMillis()));
            } else if (claim instanceof ClaimState.Gone) {
                gone.add(number);
            }
        }
        return new Response.KeptAlive(clock.millis(System.nanoTime()), grants, gone);
    }

    private KeepAliveReply reply(ClientConnection from, long callId, Runnable alive) {
        return new KeepAliveReply() {
            @Override
            public void alive() {
                alive.run();
            }

            @Override
            public void expired() {
                from.send(callId, refused(ErrorCode.SESSION_EXPIRED));
            }

            @Override
            public void unconfirmed() {
                from.send(callId, notLeader());
            }
        };
    }

    // -- locks

    private void acquire(ClientConnection from, long callId, Request.Acquire request) {
        if (isAllowed(from, callId, request.session())) {
            Command acquire =
                    new Command.Acquire(
                            request.session(),
                            request.number(),
                            request.answeredUpTo(),
                            request.name(),
                            request.owner(),
                            request.queue(),
                            request.maxHoldMillis(),
                            request.metadata());
            log.propose(acquire, verdict -> answer(from, callId, request.number(), verdict));
        }
    }

    private void cancelAcquire(ClientConnection from, long callId, Request.CancelAcquire request) {
        if (isAllowed(from, callId, request.session())) {
            Command cancel =
                    new Command.CancelAcquire(
                            request.session(),
                            request.number(),
                            request.answeredUpTo(),
                            request.acquireNumber());
            log.propose(cancel, verdict -> answer(from, callId, request.number(), verdict));
        }
    }

    private void release(ClientConnection from, long callId, Request.Release request) {
        if (isAllowed(from, callId, request.session())) {
            Command release =
                    new Command.Release(
                            request.session(),
                            request.number(),
                            request.answeredUpTo(),
                            request.name(),
                            request.owner(),
                            request.token());
            log.propose(release, verdict -> answer(from, callId, request.number(), verdict));
        }
    }

    private boolean isAllowed(ClientConnection from, long callId, SessionId session) {
        if (from.speaksFor(session)) {
            return true;
        }
        from.send(
                callId,
                new Response.Refused(
                        ErrorCode.DENIED, "this connection is not attached to the session"));
        return false;
    }

    // -- answers

    private void answer(ClientConnection to, long callId, long number, Verdict verdict) {
        switch (verdict.kind()) {
            case DONE -> {
                Outcome outcome = ((Verdict.Done) verdict).outcome();
                to.add(new ResponseFrame(callId, response(number, outcome)));
                flushes.add(to);
            }
            case NOT_LEADER -> to.send(callId, notLeader());
            case BUSY -> to.send(callId, refused(ErrorCode.BUSY));
            case UNKNOWN ->
                    to.send(callId, new Response.Unknown(((Verdict.Unknown) verdict).why()));
        }
    }

    private Response response(long number, Outcome outcome) {
        return switch (outcome.kind()) {
            case SESSION_OPENED -> {
                Outcome.SessionOpened opened = (Outcome.SessionOpened) outcome;
                yield new Response.SessionOpened(opened.session(), opened.ttlMillis());
            }
            case SESSION_CLOSED -> new Response.SessionClosed();
            case GRANTED -> {
                Outcome.Granted granted = (Outcome.Granted) outcome;
                yield granted(number, granted.token(), granted.deadlineMillis());
            }
            case QUEUED -> new Response.Queued(((Outcome.Queued) outcome).position());
            case CANCELLED -> new Response.Cancelled();
            case RELEASED -> new Response.Released();
            case REFUSED -> refused(((Outcome.Refused) outcome).code());
            case DONE, OVERTAKEN ->
                    throw new IllegalStateException("no client has the outcome " + outcome);
        };
    }

    Response granted(long number, long token, long deadlineMillis) {
        return new Response.Granted(
                new Response.Grant(number, token, deadlineMillis), clock.millis(System.nanoTime()));
    }

    private Response notLeader() {
        return new Response.NotLeader(leaderAddress());
    }

    private String leaderAddress() {
        return facts.addressOfOther(log.leadership().leaderId());
    }

    private static Response refused(ErrorCode code) {
        return new Response.Refused(code, RefusalText.of(code));
    }
}
