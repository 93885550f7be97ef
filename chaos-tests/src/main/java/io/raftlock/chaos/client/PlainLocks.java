package io.raftlock.chaos.client;

import io.raftlock.chaos.history.Event.Action;
import io.raftlock.chaos.history.Event.Result;
import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.Response;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Locks by a session of the plain protocol, and a report of each call. Owned by the actor. */
final class PlainLocks {
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long ASK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Actor actor;
    private final Nodes nodes;
    private @Nullable NumberedSession session;

    PlainLocks(Actor actor, Nodes nodes) {
        this.actor = actor;
        this.nodes = nodes;
    }

    /**
     * A lock that the session holds.
     *
     * @param number of the request that acquired it
     */
    record Plain(Holding holding, long number) {}

    /**
     * Returns a session that lives, and does so for half a TTL from now.
     *
     * @throws UnsettledException if the cluster does not answer
     */
    NumberedSession session() throws UnsettledException {
        NumberedSession now = session;
        if (now != null && now.leaseLeftNanos() < halfTtlNanos()) {
            now.keepAlive(List.of());
        }
        if (now == null || now.isOver()) {
            now = NumberedSession.open(actor, nodes);
            session = now;
        }
        return now;
    }

    /**
     * Ends the session if there is one.
     *
     * @return false if the cluster does not answer: it ends by its TTL then
     */
    boolean letGo() {
        NumberedSession now = session;
        session = null;
        try {
            if (now != null) {
                now.close();
            }
            return true;
        } catch (UnsettledException e) {
            return false;
        }
    }

    /**
     * Asks for a lock.
     *
     * @param patienceNanos how long to wait in the queue; none if it is 0
     */
    Optional<Plain> acquire(NumberedSession by, String lock, long patienceNanos) {
        boolean queue = patienceNanos > 0;
        Action action = queue ? Action.TIMED_LOCK : Action.TRY_LOCK;
        long call = actor.calls().invoked(actor.number(), action, lock, 0);
        Request.Acquire request = by.acquire(lock, queue, call);
        try {
            Response answer = by.settle(request);
            if (answer instanceof Response.Queued) {
                long token = awaitGrant(by, request.number(), patienceNanos);
                return token > 0
                        ? Optional.of(granted(by, request, call, token))
                        : cancelled(by, request, call);
            }
            if (answer instanceof Response.Granted granted) {
                return Optional.of(granted(by, request, call, granted.grant().token()));
            }
            actor.calls().returned(call, refused(answer));
        } catch (UnsettledException e) {
            actor.calls().returned(call, Ending.info("unsettled"));
            letGo();
        }
        return Optional.empty();
    }

    /** Returns a hold of that token, which the session knows to have. */
    Holding holding(NumberedSession by, String lock, long call, long token, long grantedNanos) {
        return new Holding(
                actor, call, lock, token, grantedNanos, new HeldByNumber(this, by, lock, token));
    }

    /** Judges an answer that is not the one that was wanted. */
    static Ending refused(Response answer) {
        if (NumberedSession.isRefusedAs(ErrorCode.SESSION_EXPIRED, answer)) {
            return Ending.info("lost: SESSION_EXPIRED");
        }
        return answer instanceof Response.Refused refused
                ? Ending.fail(refused.code().name())
                : Ending.info(answer.toString());
    }

    private Plain granted(NumberedSession by, Request.Acquire request, long call, long token) {
        long at = actor.calls().returned(call, Result.OK, token, "");
        return new Plain(holding(by, request.name().value(), call, token, at), request.number());
    }

    private Optional<Plain> cancelled(NumberedSession by, Request.Acquire request, long call)
            throws UnsettledException {
        Response answer = by.settle(by.cancel(request.number()));
        actor.calls()
                .returned(
                        call,
                        answer instanceof Response.Cancelled
                                ? Ending.fail("cancelled")
                                : refused(answer));
        return Optional.empty();
    }

    /** Returns 0 if it is not granted in that time. */
    private long awaitGrant(NumberedSession by, long number, long patienceNanos)
            throws UnsettledException {
        long end = System.nanoTime() + patienceNanos;
        long askNext = System.nanoTime() + ASK_NANOS;
        while (end - System.nanoTime() > 0 && !actor.gate().isStopped()) {
            Optional<Long> token = by.pushedGrant(number);
            if (token.isEmpty() && askNext - System.nanoTime() < 0) {
                askNext = System.nanoTime() + ASK_NANOS;
                token = tokenAsked(by, number);
            }
            if (token.isPresent()) {
                return token.get();
            }
            actor.gate().rest(POLL_NANOS);
        }
        return 0;
    }

    private static Optional<Long> tokenAsked(NumberedSession by, long number)
            throws UnsettledException {
        return by.keepAlive(List.of(number)).stream()
                .flatMap(alive -> alive.grants().stream())
                .map(Response.Grant::token)
                .findFirst();
    }

    private long halfTtlNanos() {
        return TimeUnit.MILLISECONDS.toNanos(actor.spec().ttlMillis()) / 2;
    }

    /** A hold of a session of the plain protocol. */
    private record HeldByNumber(PlainLocks locks, NumberedSession by, String lock, long token)
            implements Held {
        @Override
        public boolean isHeld() {
            return by.isLive();
        }

        @Override
        public Ending release() {
            try {
                Response answer = by.settle(by.release(lock, token));
                return ofRelease(answer);
            } catch (UnsettledException e) {
                locks.letGo();
                return Ending.info("unsettled");
            }
        }
    }

    /** A hold can only have ended with its session, as it has no longest time. */
    static Ending ofRelease(Response answer) {
        if (answer instanceof Response.Released) {
            return Ending.DONE;
        }
        return NumberedSession.isRefusedAs(ErrorCode.NOT_HOLDER, answer)
                ? Ending.info("lost: NOT_HOLDER")
                : refused(answer);
    }
}
