package io.raftlock.chaos.workload;

import io.raftlock.chaos.cluster.FrameConnection;
import io.raftlock.protocol.ClientMetadata;
import io.raftlock.protocol.LockName;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.Response;
import io.raftlock.protocol.SessionId;
import io.raftlock.protocol.SessionSecret;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A session that nobody renews: it sends what a test tells it to, and nothing else. It has one
 * owner of locks. Not for use by several threads at once.
 */
public final class PlainSession {
    private static final int OWNER = 1;
    private static final ClientMetadata METADATA = new ClientMetadata("plain", "test", 1);

    private final FrameConnection connection;
    private final SessionSecret secret;
    private final SessionId id;
    private long lastNumber;

    private PlainSession(FrameConnection connection, SessionSecret secret, SessionId id) {
        this.connection = connection;
        this.secret = secret;
        this.id = id;
    }

    /** Opens a session, for which the connection then speaks. */
    public static CompletableFuture<PlainSession> open(FrameConnection connection, Duration ttl) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        SessionSecret own = new SessionSecret(random.nextLong(), random.nextLong());
        return connection
                .ask(new Request.OpenSession(own, ttl.toMillis(), METADATA))
                .thenApply(
                        answer ->
                                new PlainSession(
                                        connection,
                                        own,
                                        as(Response.SessionOpened.class, answer).session()));
    }

    public FrameConnection connection() {
        return connection;
    }

    /** Makes its connection speak for it, and not for the one that it spoke for before. */
    public CompletableFuture<Response> attach() {
        return connection.ask(new Request.Attach(id, secret));
    }

    /** Asks for the lock, and waits for it in its queue; every answer before counts as had. */
    public CompletableFuture<Response> acquire(LockName name) {
        long answered = lastNumber;
        lastNumber++;
        return connection.ask(
                new Request.Acquire(id, lastNumber, answered, name, OWNER, true, 0, ""));
    }

    public CompletableFuture<Response> release(LockName name, long token) {
        long answered = lastNumber;
        lastNumber++;
        return connection.ask(new Request.Release(id, lastNumber, answered, name, OWNER, token));
    }

    /** Takes back the acquire that was the last request. */
    public CompletableFuture<Response> cancel() {
        long acquire = lastNumber;
        lastNumber++;
        return connection.ask(new Request.CancelAcquire(id, lastNumber, acquire, acquire));
    }

    /**
     * Returns the answer as what it has to be.
     *
     * @throws IllegalStateException if it is something else
     */
    public static <T extends Response> T as(Class<T> expected, Response answer) {
        if (!expected.isInstance(answer)) {
            throw new IllegalStateException(
                    "expected %s, but the answer was %s"
                            .formatted(expected.getSimpleName(), answer));
        }
        return expected.cast(answer);
    }
}
