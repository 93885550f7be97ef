package io.raftlock.client;

import io.raftlock.protocol.ClientMetadata;
import io.raftlock.protocol.LockName;
import io.raftlock.protocol.ProtocolLimits;
import io.raftlock.protocol.SessionId;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * A program's way to the locks of a cluster. One client has one session, which it opens at the
 * first call that needs one and keeps alive until it is closed; all its locks hang on that session.
 * One client per program is enough: it serves any number of threads.
 *
 * <p>If the cluster is not reached for about as long as the session lives without it, the session
 * is lost, and with it all locks, by this process's clock and without any message. The next call
 * opens a new one. {@link #addSessionListener} and {@link LockGrant#lost} tell of it.
 *
 * <p>All methods are safe for use by several threads.
 */
public final class RaftLockClient implements AutoCloseable {
    private static final long CLOSE_SECONDS = 2;
    private static final AtomicInteger INSTANCES = new AtomicInteger();

    private final Loop loop;
    private final SessionKeeper keeper;
    private final SessionEvents events;
    private final Callbacks callbacks;
    private final Calls calls;
    private final Runnable releaseResources;
    private final AtomicLong owners = new AtomicLong();
    private final ThreadLocal<ThreadOwner> threadOwners = ThreadOwner.perThread(owners);
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    private RaftLockClient(Builder builder, Parts parts, RandomGenerator random) {
        loop = parts.loop;
        releaseResources = parts.releaseResources;
        callbacks = new Callbacks(parts.threadName + "-callback", builder.callbackExecutor);
        events = new SessionEvents(callbacks);
        Endpoints endpoints = new Endpoints(builder.endpoints, random);
        long ttlNanos = builder.sessionTtl.toNanos();
        keeper =
                new SessionKeeper(
                        loop,
                        owner ->
                                new LeaderLink(
                                        loop,
                                        parts.transport,
                                        endpoints,
                                        random,
                                        silenceNanos(ttlNanos),
                                        owner),
                        callbacks,
                        events,
                        builder.metadata(),
                        ttlNanos,
                        random);
        calls = new Calls(loop, keeper, callbacks, endpoints, builder.requestTimeout);
    }

    /** A node that answers nothing for as long as that is not waited for. */
    private static long silenceNanos(long ttlNanos) {
        long shortest = TimeUnit.MILLISECONDS.toNanos(500);
        long longest = TimeUnit.SECONDS.toNanos(2);
        return Math.max(shortest, Math.min(longest, ttlNanos / 6));
    }

    /** What a client stands on; tests put others in their place. */
    record Parts(Loop loop, Transport transport, Runnable releaseResources, String threadName) {}

    /** Returns a builder with defaults for all but the endpoints. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the lock of that name. Sends nothing; call it as often as you like.
     *
     * @param name 1 to 512 bytes of UTF-8 without control characters
     * @throws LockRefusedException with {@link RefusalCode#INVALID_NAME} if the name is no such
     *     text
     */
    public DistributedLock lock(String name) {
        return new ClusterLock(nameOf(name), calls, threadOwners, owners);
    }

    private static LockName nameOf(String name) {
        try {
            return new LockName(name);
        } catch (IllegalArgumentException invalid) {
            throw new LockRefusedException(
                    RefusalCode.INVALID_NAME,
                    "this is no name for a lock: " + invalid.getMessage());
        }
    }

    /** Returns the id of the session, as the console shows it, or empty if none is open. */
    public Optional<SessionId> sessionId() {
        return Optional.ofNullable(keeper.session()).flatMap(ClientSession::id);
    }

    /** Returns how the session is, by the clock of this process. */
    public SessionState sessionState() {
        return keeper.state();
    }

    /**
     * Has the listener told what happens to the session from now on.
     *
     * @param listener called on the callback executor
     */
    public void addSessionListener(SessionListener listener) {
        events.add(listener);
    }

    /**
     * Takes the listener off again.
     *
     * @param listener that was added; nothing happens if it was not
     */
    public void removeSessionListener(SessionListener listener) {
        events.remove(listener);
    }

    /**
     * Closes the session, which releases all that it holds, and ends the client's threads. Takes at
     * most two seconds: if the cluster is not reached in that time, the locks become free when the
     * session's time to live is over. Calls that wait fail with {@link IllegalStateException}, as
     * do calls made later. Grants that are held are lost with {@link LossReason#CLIENT_CLOSED}. Not
     * interruptible; the interrupt flag stays set. A second call does nothing.
     */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        try {
            loop.execute(() -> keeper.close(closed::countDown));
            awaitClosed();
            loop.execute(keeper::shutDown);
        } catch (RejectedExecutionException stopped) {
            throw new IllegalStateException("the client's thread has ended before", stopped);
        } finally {
            loop.shutDown();
            releaseResources.run();
            callbacks.shutDown();
        }
    }

    private void awaitClosed() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_SECONDS);
        boolean interrupted = false;
        boolean done = false;
        while (!done && !loop.inLoop()) {
            try {
                done =
                        closed.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)
                                || System.nanoTime() - deadline >= 0;
            } catch (InterruptedException interrupt) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Makes clients. Not safe for use by several threads. */
    public static final class Builder {
        private static final Duration SHORTEST_TTL =
                Duration.ofMillis(ProtocolLimits.MIN_SESSION_TTL_MILLIS);
        private static final Duration LONGEST_TTL =
                Duration.ofMillis(ProtocolLimits.MAX_SESSION_TTL_MILLIS);

        private final List<Address> endpoints = new ArrayList<>();
        private Duration sessionTtl = Duration.ofSeconds(10);
        private Duration requestTimeout = Duration.ofSeconds(5);
        private String clientName = "";
        private @Nullable Executor callbackExecutor;

        private Builder() {}

        /**
         * Says where nodes listen for clients; more are learnt from the cluster. Replaces what was
         * said before.
         *
         * @param addresses each {@code host:port}, or {@code [IPv6]:port}
         * @throws IllegalArgumentException if one of them is not such a text
         */
        public Builder endpoints(String... addresses) {
            endpoints.clear();
            for (String each : addresses) {
                endpoints.add(
                        Address.parse(each)
                                .orElseThrow(
                                        () ->
                                                new IllegalArgumentException(
                                                        "an endpoint is host:port, but this one is \"%s\""
                                                                .formatted(each))));
            }
            return this;
        }

        /**
         * Sets how long the cluster keeps the locks of a client of which it hears nothing. Short
         * times free a dead client's locks sooner, long ones survive longer pauses. Default 10
         * seconds.
         *
         * @param ttl from half a second to a day, in whole milliseconds
         * @throws IllegalArgumentException if it is out of these bounds
         */
        public Builder sessionTtl(Duration ttl) {
            if (ttl.compareTo(SHORTEST_TTL) < 0 || ttl.compareTo(LONGEST_TTL) > 0) {
                throw new IllegalArgumentException(
                        "sessionTtl is from %s to %s, but was %s"
                                .formatted(SHORTEST_TTL, LONGEST_TTL, ttl));
            }
            sessionTtl = Duration.ofMillis(ttl.toMillis());
            return this;
        }

        /**
         * Sets how long a call that does not wait for a lock goes on looking for the cluster.
         * Default 5 seconds.
         *
         * @param timeout more than zero
         * @throws IllegalArgumentException if it is zero or negative
         */
        public Builder requestTimeout(Duration timeout) {
            if (timeout.isZero() || timeout.isNegative()) {
                throw new IllegalArgumentException(
                        "requestTimeout is more than zero, but was " + timeout);
            }
            requestTimeout = timeout;
            return this;
        }

        /**
         * Sets the name under which people see this client's session. Default: none.
         *
         * @param name at most 1024 bytes of UTF-8
         * @throws IllegalArgumentException if it is longer
         */
        public Builder clientName(String name) {
            int bytes = name.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > ProtocolLimits.MAX_METADATA_BYTES) {
                throw new IllegalArgumentException(
                        "a client name has at most %d bytes of UTF-8, but this one has %d"
                                .formatted(ProtocolLimits.MAX_METADATA_BYTES, bytes));
            }
            clientName = name;
            return this;
        }

        /**
         * Sets where listeners and the dependents of futures run. Default: a few daemon threads of
         * the client's own. An executor that runs tasks in the calling thread makes the user's code
         * run on the client's I/O thread, where it must neither block nor take long.
         *
         * @param executor is not shut down by the client
         */
        public Builder callbackExecutor(Executor executor) {
            callbackExecutor = executor;
            return this;
        }

        /**
         * Makes the client. Does not wait for the cluster: the first call that needs it does.
         *
         * @throws IllegalStateException if there are no endpoints
         */
        public RaftLockClient build() {
            String threadName = "raft-lock-client-" + INSTANCES.incrementAndGet();
            requireEndpoints();
            NettyLoop loop = new NettyLoop(threadName);
            NettyTransport transport = new NettyTransport(loop, threadName + "-lookup");
            return build(
                    new Parts(loop, transport, transport::shutDown, threadName),
                    () -> ThreadLocalRandom.current().nextLong());
        }

        RaftLockClient build(Parts parts, RandomGenerator random) {
            requireEndpoints();
            return new RaftLockClient(this, parts, random);
        }

        private void requireEndpoints() {
            if (endpoints.isEmpty()) {
                throw new IllegalStateException(
                        "a client needs the address of at least one node; call endpoints(\"host:port\")");
            }
        }

        private ClientMetadata metadata() {
            return new ClientMetadata(clientName, hostName(), ProcessHandle.current().pid());
        }

        private static String hostName() {
            String fromShell = System.getenv("HOSTNAME");
            if (fromShell != null) {
                return fromShell;
            }
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException unknown) {
                return "unknown";
            }
        }
    }
}
