package io.raftlock.chaos.client;

import io.raftlock.protocol.ClientMetadata;
import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.LockName;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.Response;
import io.raftlock.protocol.SessionId;
import io.raftlock.protocol.SessionSecret;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * A session of the plain protocol, which asks again under the same number until it has an answer,
 * and renews nothing by itself. Owned by one actor.
 */
final class NumberedSession {
    private static final int OWNER = 1;
    private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(6);
    private static final long LONGEST_PAUSE_MILLIS = 60;

    /** As the real client's: what the two clocks may run apart, and a little. */
    private static final int DRIFT_DIVISOR = 100;

    private static final long MARGIN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Actor actor;
    private final LeaderConnection leader;
    private final SessionSecret secret;
    private final long ttlNanos;
    private SessionId id = new SessionId(0);
    private long lastNumber;
    private long leaseEndNanos;
    private boolean over;

    private NumberedSession(Actor actor, Nodes nodes) {
        this.actor = actor;
        this.leader = new LeaderConnection(nodes, actor.random());
        // Not from the seed: the cluster takes two sessions of one secret for the same.
        ThreadLocalRandom random = ThreadLocalRandom.current();
        this.secret = new SessionSecret(random.nextLong(), random.nextLong());
        this.ttlNanos = TimeUnit.MILLISECONDS.toNanos(actor.spec().ttlMillis());
    }

    /**
     * Opens a session.
     *
     * @throws UnsettledException if the cluster does not answer, or refuses
     */
    static NumberedSession open(Actor actor, Nodes nodes) throws UnsettledException {
        NumberedSession session = new NumberedSession(actor, nodes);
        ClientMetadata metadata =
                new ClientMetadata(actor.calls().client(), "plain", ProcessHandle.current().pid());
        Response answer =
                session.settle(
                        new Request.OpenSession(
                                session.secret, actor.spec().ttlMillis(), metadata));
        if (answer instanceof Response.SessionOpened opened) {
            session.id = opened.session();
            session.confirmed();
            actor.calls().session("OPEN", session.id.value(), "plain");
            return session;
        }
        throw new UnsettledException("no session: " + answer);
    }

    /** Whether it lives for sure, by this process's clock. */
    boolean isLive() {
        return !over && leaseLeftNanos() > 0;
    }

    /** Whether the cluster has said that it has ended. */
    boolean isOver() {
        return over;
    }

    long leaseLeftNanos() {
        return leaseEndNanos - System.nanoTime();
    }

    Request.Acquire acquire(String lock, boolean queue, long call) {
        long answered = lastNumber;
        lastNumber++;
        return new Request.Acquire(
                id, lastNumber, answered, new LockName(lock), OWNER, queue, 0, Long.toString(call));
    }

    Request.Release release(String lock, long token) {
        long answered = lastNumber;
        lastNumber++;
        return new Request.Release(id, lastNumber, answered, new LockName(lock), OWNER, token);
    }

    /** Takes back the acquire of that number, which is answered. */
    Request.CancelAcquire cancel(long number) {
        long answered = lastNumber;
        lastNumber++;
        return new Request.CancelAcquire(id, lastNumber, answered, number);
    }

    /**
     * Keeps it alive, and asks what became of those acquires.
     *
     * @return empty if the session has ended
     * @throws UnsettledException if no answer was had in time
     */
    Optional<Response.KeptAlive> keepAlive(List<Long> pending) throws UnsettledException {
        Response answer = settle(asksFor(pending));
        if (answer instanceof Response.KeptAlive alive) {
            confirmed();
            return Optional.of(alive);
        }
        return Optional.empty();
    }

    /** Returns the request that asks what became of those acquires. */
    Request.KeepAlive asksFor(List<Long> acquires) {
        return new Request.KeepAlive(id, acquires);
    }

    /**
     * Asks which end the session has, at whatever node leads.
     *
     * @throws UnsettledException if no answer was had in time
     */
    Response attach() throws UnsettledException {
        leader.disconnect();
        return settle(new Request.Attach(id, secret));
    }

    /**
     * Ends it, with all that it holds.
     *
     * @throws UnsettledException if no answer was had in time: the session ends by its TTL then
     */
    void close() throws UnsettledException {
        boolean wasOver = over;
        over = true;
        try {
            if (!wasOver) {
                settle(new Request.CloseSession(id, secret));
            }
        } finally {
            leader.disconnect();
        }
    }

    /** Breaks its connection; the next request goes by another. */
    void disconnect() {
        leader.disconnect();
    }

    /** Sends a request, does not wait for the answer so long, and breaks the connection. */
    void sendAndDrop(Request request, long waitNanos) {
        leader.send(request);
        actor.gate().rest(waitNanos);
        leader.disconnect();
    }

    /** Asks on another connection, at any node; empty if that has no answer of the cluster. */
    Optional<Response> askElsewhere(Request request) {
        return leader.askElsewhere(new Request.Attach(id, secret), request);
    }

    /** Returns the token of the grant, if it was told meanwhile to the acquire of that number. */
    Optional<Long> pushedGrant(long number) {
        return leader.pushes().stream()
                .filter(Response.Granted.class::isInstance)
                .map(push -> ((Response.Granted) push).grant())
                .filter(grant -> grant.number() == number)
                .map(Response.Grant::token)
                .findFirst();
    }

    /**
     * Asks until there is an answer.
     *
     * @return done, or refused; with SESSION_EXPIRED if the session is over
     * @throws UnsettledException if no answer was had in time
     */
    Response settle(Request request) throws UnsettledException {
        Optional<Request> attach =
                needsAttached(request)
                        ? Optional.of(new Request.Attach(id, secret))
                        : Optional.empty();
        long deadline = System.nanoTime() + SETTLE_NANOS;
        Optional<Response> answer = leader.ask(attach, request);
        while (answer.isEmpty()) {
            if (System.nanoTime() - deadline > 0 || actor.gate().isStopped()) {
                throw new UnsettledException(request.kind().name());
            }
            actor.gate().rest(actor.anyNanos(LONGEST_PAUSE_MILLIS));
            answer = leader.ask(attach, request);
        }
        noticeEnd(answer.get());
        return answer.get();
    }

    private static boolean needsAttached(Request request) {
        return switch (request.kind()) {
            case HELLO, OPEN_SESSION, ATTACH, CLOSE_SESSION, STATUS -> false;
            case KEEP_ALIVE, ACQUIRE, CANCEL_ACQUIRE, RELEASE -> true;
        };
    }

    private void confirmed() {
        leaseEndNanos = leader.sentNanos() + ttlNanos - ttlNanos / DRIFT_DIVISOR - MARGIN_NANOS;
    }

    private void noticeEnd(Response answer) {
        if (over || !isRefusedAs(ErrorCode.SESSION_EXPIRED, answer)) {
            return;
        }
        if (isLive()) {
            actor.calls()
                    .noted(
                            "early-expiry",
                            "session %d is over %d ms before its lease"
                                    .formatted(id.value(), leaseLeftNanos() / 1_000_000));
        }
        over = true;
        actor.calls().session("LOST", id.value(), "plain");
    }

    static boolean isRefusedAs(ErrorCode code, Response answer) {
        return answer instanceof Response.Refused refused && refused.code() == code;
    }
}
