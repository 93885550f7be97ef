package io.raftlock.client;

import io.raftlock.protocol.EndReason;
import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.LockName;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.RequestFrame;
import io.raftlock.protocol.Response;
import io.raftlock.protocol.ResponseFrame;
import io.raftlock.protocol.SessionId;
import io.raftlock.protocol.SessionSecret;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * Three nodes that keep the contract of the protocol, as simply as they can, in one object with one
 * replicated state. All on the loop. It also checks what it is sent: see {@link #violations}.
 */
final class FakeCluster implements Transport {
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    final List<String> violations = new ArrayList<>();
    final List<Request> received = new ArrayList<>();
    final List<Address> connects = new ArrayList<>();
    final Map<SessionId, Session> sessions =
            new TreeMap<>((a, b) -> Long.compare(a.value(), b.value()));
    final List<Node> nodes = new ArrayList<>();

    /** Says of each request whether it arrives. */
    Predicate<Request> requestArrives = request -> true;

    /** Says of each response, with whether it is a push, whether it arrives. */
    BiPredicate<Response, Boolean> responseArrives = (response, push) -> true;

    /** Answers in place of the cluster, or null. */
    java.util.function.Function<Request, Response> answersInstead = request -> null;

    private final Loop loop;
    private final long startNanos;
    private final long latencyNanos;
    private final Map<LockName, Lock> locks = new HashMap<>();
    private int leader;
    private long index = 100;

    final class Node {
        final Address address;
        boolean up = true;
        boolean silent;

        /** Leads no more and does not know it: whatever it proposes gets no majority. */
        boolean deposed;

        String hint;
        final List<FakeConnection> connections = new ArrayList<>();

        Node(Address address) {
            this.address = address;
        }

        /** Says to all who are connected who leads. */
        void nameLeader() {
            if (leader >= 0) {
                ResponseFrame push =
                        new ResponseFrame(ResponseFrame.PUSH, new Response.NotLeader(hintOf(this)));
                List.copyOf(connections).forEach(connection -> connection.deliver(push));
            }
        }
    }

    static final class Session {
        final SessionId id;
        final SessionSecret secret;
        final long ttlMillis;
        final Map<Long, Request> asked = new TreeMap<>();
        final TreeMap<Long, Response> answers = new TreeMap<>();
        final Set<Long> cancelled = new HashSet<>();
        long highest;
        long answeredUpTo;
        long lastSeenNanos;
        FakeConnection connection;

        Session(SessionId id, SessionSecret secret, long ttlMillis) {
            this.id = id;
            this.secret = secret;
            this.ttlMillis = ttlMillis;
        }
    }

    static final class Lock {
        Waiter holder;
        long token;
        long deadlineMillis;
        final Deque<Waiter> queue = new ArrayDeque<>();
    }

    record Waiter(Session session, Request.Acquire acquire) {}

    /**
     * @param latencyNanos of each message
     */
    FakeCluster(Loop loop, long latencyNanos) {
        this.loop = loop;
        this.latencyNanos = latencyNanos;
        this.startNanos = loop.nanoTime();
        for (int port = 1; port <= 3; port++) {
            nodes.add(new Node(new Address("10.0.0." + port, port)));
        }
        tick();
    }

    String[] endpoints() {
        return nodes.stream().map(node -> node.address.toString()).toArray(String[]::new);
    }

    // Faults.

    /** The node is gone, as after kill -9; if it led, nobody leads until {@link #elect}. */
    void kill(int node) {
        nodes.get(node).up = false;
        closeConnections(nodes.get(node));
        if (leader == node) {
            leader = -1;
        }
    }

    void restart(int node) {
        nodes.get(node).up = true;
    }

    void killAll() {
        for (int node = 0; node < nodes.size(); node++) {
            kill(node);
        }
    }

    void elect(int node) {
        leader = node;
        sessions.values().forEach(session -> session.lastSeenNanos = loop.nanoTime());
    }

    void cutConnections() {
        nodes.forEach(this::closeConnections);
    }

    private void closeConnections(Node node) {
        List<FakeConnection> open = new ArrayList<>(node.connections);
        open.forEach(FakeConnection::breakOff);
    }

    void expire(SessionId id) {
        end(sessions.get(id), EndReason.SESSION_EXPIRED);
    }

    /** Forgets everything, as if all disks were replaced. */
    void wipe() {
        sessions.clear();
        locks.clear();
    }

    // What tests ask.

    long count(Class<? extends Request> kind) {
        return received.stream().filter(kind::isInstance).count();
    }

    boolean isHeld(String name) {
        Lock lock = locks.get(new LockName(name));
        return lock != null && lock.holder != null;
    }

    int waiters(String name) {
        Lock lock = locks.get(new LockName(name));
        return lock == null ? 0 : lock.queue.size();
    }

    /** A stranger takes the lock, or gets in line for it, in a session that lives for ever. */
    void strangerLocks(String name) {
        SessionId id = new SessionId(++index);
        Session stranger = new Session(id, new SessionSecret(0, index), Long.MAX_VALUE / 2_000_000);
        sessions.put(id, stranger);
        stranger.lastSeenNanos = loop.nanoTime();
        Lock lock = locks.computeIfAbsent(new LockName(name), key -> new Lock());
        Request.Acquire acquire =
                new Request.Acquire(id, 1, 0, new LockName(name), 1, true, 0, "stranger");
        lock.queue.add(new Waiter(stranger, acquire));
        grantNext(lock, null);
    }

    /** Whoever holds the lock releases it. */
    void strangerUnlocks(String name) {
        Lock lock = locks.get(new LockName(name));
        lock.holder = null;
        grantNext(lock, null);
    }

    // The cluster.

    private long clockMillis() {
        return 1_000 + TimeUnit.NANOSECONDS.toMillis(loop.nanoTime() - startNanos);
    }

    private void tick() {
        loop.schedule(
                () -> {
                    tick();
                    if (leader >= 0) {
                        endOldHolds();
                        expireSilent();
                    }
                },
                TICK_NANOS);
    }

    private void expireSilent() {
        for (Session session : new ArrayList<>(sessions.values())) {
            long silent = TimeUnit.NANOSECONDS.toMillis(loop.nanoTime() - session.lastSeenNanos);
            if (silent > session.ttlMillis) {
                end(session, EndReason.SESSION_EXPIRED);
            }
        }
    }

    private void endOldHolds() {
        for (Lock lock : new ArrayList<>(locks.values())) {
            if (lock.holder != null
                    && lock.deadlineMillis != 0
                    && clockMillis() >= lock.deadlineMillis) {
                Waiter over = lock.holder;
                push(
                        over.session,
                        new Response.HoldEnded(
                                over.acquire.number(), lock.token, EndReason.MAX_HOLD_REACHED));
                lock.holder = null;
                grantNext(lock, null);
            }
        }
    }

    private void end(Session session, EndReason reason) {
        sessions.remove(session.id);
        push(session, new Response.SessionEnded(session.id, reason));
        for (Lock lock : new ArrayList<>(locks.values())) {
            lock.queue.removeIf(waiter -> waiter.session == session);
            if (lock.holder != null && lock.holder.session == session) {
                lock.holder = null;
                grantNext(lock, null);
            }
        }
    }

    private void push(Session session, Response response) {
        if (session.connection != null) {
            session.connection.deliver(new ResponseFrame(ResponseFrame.PUSH, response));
        }
    }

    private Response.Granted grantNext(Lock lock, Waiter asking) {
        if (lock.holder != null || lock.queue.isEmpty()) {
            return null;
        }
        Waiter next = lock.queue.remove();
        lock.holder = next;
        lock.token = ++index << 12;
        long hold = next.acquire.maxHoldMillis();
        lock.deadlineMillis = hold == 0 ? 0 : clockMillis() + hold;
        Response.Granted granted = new Response.Granted(grantOf(lock), clockMillis());
        if (next != asking) {
            push(next.session, granted);
        }
        return granted;
    }

    private static Response.Grant grantOf(Lock lock) {
        return new Response.Grant(lock.holder.acquire.number(), lock.token, lock.deadlineMillis);
    }

    private Response answer(FakeConnection from, Request request) {
        Response instead = answersInstead.apply(request);
        if (instead != null) {
            return instead;
        }
        if (request instanceof Request.Hello) {
            return new Response.Welcome(1, from.node.address.toString());
        }
        if (from.node.deposed) {
            return new Response.Unknown("no majority answered");
        }
        if (leader < 0 || nodes.get(leader) != from.node) {
            return new Response.NotLeader(hintOf(from.node));
        }
        if (request instanceof Request.OpenSession open) {
            return open(from, open);
        }
        if (request instanceof Request.CloseSession close) {
            Session session = sessions.get(close.session());
            if (session != null) {
                session.connection = null;
                end(session, EndReason.SESSION_CLOSED);
            }
            return new Response.SessionClosed();
        }
        if (request instanceof Request.Attach attach) {
            return attach(from, attach);
        }
        return sessionAnswer(from, request);
    }

    private String hintOf(Node node) {
        if (node.hint != null) {
            return node.hint;
        }
        return leader < 0 ? "" : nodes.get(leader).address.toString();
    }

    private Response open(FakeConnection from, Request.OpenSession open) {
        Session session =
                sessions.values().stream()
                        .filter(each -> each.secret.equals(open.secret()))
                        .findFirst()
                        .orElseGet(
                                () ->
                                        new Session(
                                                new SessionId(++index),
                                                open.secret(),
                                                open.ttlMillis()));
        sessions.put(session.id, session);
        session.connection = from;
        session.lastSeenNanos = loop.nanoTime();
        return new Response.SessionOpened(session.id, session.ttlMillis);
    }

    private Response attach(FakeConnection from, Request.Attach attach) {
        Session session = sessions.get(attach.session());
        if (session == null) {
            return refused(ErrorCode.SESSION_EXPIRED);
        }
        if (!session.secret.equals(attach.secret())) {
            return refused(ErrorCode.DENIED);
        }
        session.connection = from;
        return new Response.Attached(session.id);
    }

    private static Response refused(ErrorCode code) {
        return new Response.Refused(code, "says the fake cluster");
    }

    private Response sessionAnswer(FakeConnection from, Request request) {
        SessionId id = sessionOf(request);
        Session session = sessions.get(id);
        if (session == null) {
            return refused(ErrorCode.SESSION_EXPIRED);
        }
        if (session.connection != from) {
            violations.add("not attached: " + request);
        }
        session.lastSeenNanos = loop.nanoTime();
        if (request instanceof Request.KeepAlive keepAlive) {
            return keptAlive(session, keepAlive);
        }
        if (request instanceof Request.Acquire acquire) {
            return once(
                    session,
                    acquire.number(),
                    acquire.answeredUpTo(),
                    acquire,
                    () -> acquire(session, acquire));
        }
        if (request instanceof Request.Release release) {
            return once(
                    session,
                    release.number(),
                    release.answeredUpTo(),
                    release,
                    () -> release(session, release));
        }
        Request.CancelAcquire cancel = (Request.CancelAcquire) request;
        return once(
                session,
                cancel.number(),
                cancel.answeredUpTo(),
                cancel,
                () -> cancel(session, cancel));
    }

    private static SessionId sessionOf(Request request) {
        return request instanceof Request.KeepAlive keepAlive
                ? keepAlive.session()
                : request instanceof Request.Acquire acquire
                        ? acquire.session()
                        : request instanceof Request.Release release
                                ? release.session()
                                : ((Request.CancelAcquire) request).session();
    }

    private Response once(
            Session session,
            long number,
            long answeredUpTo,
            Request request,
            java.util.function.Supplier<Response> apply) {
        if (number <= session.answeredUpTo) {
            violations.add("asked again what it had the answer of: " + request);
            return refused(ErrorCode.ALREADY_COMPLETED);
        }
        if (answeredUpTo >= number || answeredUpTo < 0) {
            violations.add("answeredUpTo is not below the number: " + request);
        }
        session.answeredUpTo = Math.max(session.answeredUpTo, answeredUpTo);
        session.answers.headMap(session.answeredUpTo, true).clear();
        Request first = session.asked.putIfAbsent(number, sameContent(request));
        if (first != null && !first.equals(sameContent(request))) {
            violations.add("another request under a used number: " + request + " after " + first);
        }
        if (session.answers.size() > 8_192) {
            violations.add("too many unanswered");
        }
        return session.answers.computeIfAbsent(number, key -> apply.get());
    }

    /** A retry may know more answers than the first try did. */
    private static Request sameContent(Request request) {
        if (request instanceof Request.Acquire a) {
            return new Request.Acquire(
                    a.session(),
                    a.number(),
                    0,
                    a.name(),
                    a.owner(),
                    a.queue(),
                    a.maxHoldMillis(),
                    a.metadata());
        }
        if (request instanceof Request.Release r) {
            return new Request.Release(r.session(), r.number(), 0, r.name(), r.owner(), r.token());
        }
        Request.CancelAcquire c = (Request.CancelAcquire) request;
        return new Request.CancelAcquire(c.session(), c.number(), 0, c.acquireNumber());
    }

    private Response acquire(Session session, Request.Acquire acquire) {
        if (session.cancelled.contains(acquire.number())) {
            return refused(ErrorCode.CANCELLED);
        }
        Lock lock = locks.computeIfAbsent(acquire.name(), key -> new Lock());
        Waiter waiter = new Waiter(session, acquire);
        boolean again =
                lock.queue.stream().anyMatch(each -> sameOwner(each, waiter))
                        || (lock.holder != null && sameOwner(lock.holder, waiter));
        if (again) {
            return refused(ErrorCode.ALREADY_HELD);
        }
        if (!acquire.queue() && lock.holder != null) {
            return refused(ErrorCode.NOT_AVAILABLE);
        }
        lock.queue.add(waiter);
        Response granted = grantNext(lock, waiter);
        return granted == null ? new Response.Queued(lock.queue.size()) : granted;
    }

    private static boolean sameOwner(Waiter one, Waiter other) {
        return one.session == other.session && one.acquire.owner() == other.acquire.owner();
    }

    private Response release(Session session, Request.Release release) {
        Lock lock = locks.get(release.name());
        if (lock == null
                || lock.holder == null
                || lock.holder.session != session
                || lock.holder.acquire.owner() != release.owner()
                || lock.token != release.token()) {
            return refused(ErrorCode.NOT_HOLDER);
        }
        lock.holder = null;
        grantNext(lock, null);
        return new Response.Released();
    }

    private Response cancel(Session session, Request.CancelAcquire cancel) {
        session.cancelled.add(cancel.acquireNumber());
        for (Lock lock : locks.values()) {
            lock.queue.removeIf(each -> isAcquire(each, session, cancel.acquireNumber()));
            if (lock.holder != null && isAcquire(lock.holder, session, cancel.acquireNumber())) {
                lock.holder = null;
                grantNext(lock, null);
            }
        }
        return new Response.Cancelled();
    }

    private static boolean isAcquire(Waiter waiter, Session session, long number) {
        return waiter.session == session && waiter.acquire.number() == number;
    }

    private Response keptAlive(Session session, Request.KeepAlive keepAlive) {
        List<Response.Grant> grants = new ArrayList<>();
        List<Long> gone = new ArrayList<>();
        for (long number : keepAlive.pending()) {
            Lock held =
                    locks.values().stream()
                            .filter(
                                    lock ->
                                            lock.holder != null
                                                    && isAcquire(lock.holder, session, number))
                            .findFirst()
                            .orElse(null);
            boolean waits =
                    locks.values().stream()
                            .anyMatch(
                                    lock ->
                                            lock.queue.stream()
                                                    .anyMatch(
                                                            each ->
                                                                    isAcquire(
                                                                            each, session,
                                                                            number)));
            if (held != null) {
                grants.add(grantOf(held));
            } else if (!waits) {
                gone.add(number);
            }
        }
        return new Response.KeptAlive(clockMillis(), grants, gone);
    }

    // The wires.

    private void later(Runnable task) {
        if (latencyNanos == 0) {
            loop.execute(task);
        } else {
            loop.schedule(task, latencyNanos);
        }
    }

    @Override
    public Connection connect(Address address, Listener listener) {
        connects.add(address);
        FakeConnection connection = new FakeConnection(listener);
        later(() -> connection.open(address));
        return connection;
    }

    final class FakeConnection implements Connection {
        private final Listener listener;
        private Node node;
        private boolean closed;
        private long lastCallId;

        FakeConnection(Listener listener) {
            this.listener = listener;
        }

        private void open(Address address) {
            node =
                    nodes.stream()
                            .filter(each -> each.address.equals(address) && each.up)
                            .findFirst()
                            .orElse(null);
            if (closed) {
                return;
            }
            if (node == null) {
                closed = true;
                listener.closed("refused");
            } else {
                node.connections.add(this);
                listener.connected();
            }
        }

        @Override
        public void send(RequestFrame frame) {
            if (frame.callId() <= lastCallId || frame.group() != 0) {
                violations.add("call id used twice, or wrong group: " + frame);
            }
            lastCallId = frame.callId();
            later(() -> arrive(frame));
        }

        private void arrive(RequestFrame frame) {
            // What was sent before the connection was closed may still arrive.
            if (!node.up || node.silent || !requestArrives.test(frame.request())) {
                return;
            }
            received.add(frame.request());
            deliver(new ResponseFrame(frame.callId(), answer(this, frame.request())));
        }

        void deliver(ResponseFrame frame) {
            if (node.silent || !responseArrives.test(frame.response(), frame.isPush())) {
                return;
            }
            later(
                    () -> {
                        if (!closed) {
                            listener.received(frame);
                        }
                    });
        }

        void breakOff() {
            node.connections.remove(this);
            if (!closed) {
                later(
                        () -> {
                            if (!closed) {
                                closed = true;
                                listener.closed("connection reset");
                            }
                        });
            }
        }

        @Override
        public void close() {
            closed = true;
            if (node != null) {
                node.connections.remove(this);
            }
        }
    }
}
