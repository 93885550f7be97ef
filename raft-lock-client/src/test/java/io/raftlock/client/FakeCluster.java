package io.raftlock.client;

import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.RequestFrame;
import io.raftlock.protocol.Response;
import io.raftlock.protocol.ResponseFrame;
import io.raftlock.protocol.SessionId;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * Three nodes that keep the contract of the protocol, as simply as they can, in one object with one
 * replicated state, and the wires to them. All on the loop. It also checks what it is sent: see
 * {@link #violations}.
 */
final class FakeCluster implements Transport {
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    final List<String> violations = new ArrayList<>();
    final List<Request> received = new ArrayList<>();
    final List<Address> connects = new ArrayList<>();

    /** How many requests clients sent, whether they arrived or not. */
    int sent;

    final List<Node> nodes = new ArrayList<>();
    final Map<SessionId, FakeLocks.Session> sessions;

    /** Says of each request whether it arrives. */
    Predicate<Request> requestArrives = request -> true;

    /** Says of each response, with whether it is a push, whether it arrives. */
    BiPredicate<Response, Boolean> responseArrives = (response, push) -> true;

    /** Says of each request whether it waits on its way until {@link #letRequestsGo}. */
    Predicate<Request> requestWaits = request -> false;

    /** Says of each response, with whether it is a push, whether it waits likewise. */
    BiPredicate<Response, Boolean> responseWaits = (response, push) -> false;

    /** Says how much longer than the others a request is on its way; others may overtake it. */
    ToLongFunction<Request> extraNanos = request -> 0;

    /** Answers in place of the cluster, or null. */
    Function<Request, Response> answersInstead = request -> null;

    private final Loop loop;
    private final long latencyNanos;
    private final FakeLocks locks;
    private final List<Runnable> waitingRequests = new ArrayList<>();
    private final List<Runnable> waitingResponses = new ArrayList<>();
    private int leader;

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

    /**
     * @param latencyNanos of each message
     */
    FakeCluster(Loop loop, long latencyNanos) {
        this.loop = loop;
        this.latencyNanos = latencyNanos;
        locks = new FakeLocks(loop, violations, this::push);
        sessions = locks.sessions;
        for (int port = 1; port <= 3; port++) {
            nodes.add(new Node(new Address("10.0.0." + port, port)));
        }
        tick();
    }

    String[] endpoints() {
        return nodes.stream().map(node -> node.address.toString()).toArray(String[]::new);
    }

    private void tick() {
        loop.schedule(
                () -> {
                    tick();
                    if (leader >= 0) {
                        locks.tick();
                    }
                },
                TICK_NANOS);
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

    /**
     * @param node that leads from now on, or -1 for none
     */
    void elect(int node) {
        leader = node;
        locks.renewAll();
    }

    void cutConnections() {
        nodes.forEach(this::closeConnections);
    }

    private void closeConnections(Node node) {
        List<FakeConnection> open = new ArrayList<>(node.connections);
        open.forEach(FakeConnection::breakOff);
    }

    /** Nothing arrives at the nodes or from them, and no connection breaks. */
    void fallSilent() {
        nodes.forEach(node -> node.silent = true);
    }

    void speakAgain() {
        nodes.forEach(node -> node.silent = false);
    }

    /** What waits on its way to the cluster arrives now, in order; later requests do not wait. */
    void letRequestsGo() {
        requestWaits = request -> false;
        letGo(waitingRequests);
    }

    /** What waits on its way to clients goes on now, in order; later responses do not wait. */
    void letResponsesGo() {
        responseWaits = (response, push) -> false;
        letGo(waitingResponses);
    }

    private static void letGo(List<Runnable> waiting) {
        List<Runnable> going = List.copyOf(waiting);
        waiting.clear();
        going.forEach(Runnable::run);
    }

    int waitingRequests() {
        return waitingRequests.size();
    }

    int waitingResponses() {
        return waitingResponses.size();
    }

    void expire(SessionId id) {
        locks.expire(id);
    }

    void wipe() {
        locks.wipe();
    }

    void strangerLocks(String name) {
        locks.strangerLocks(name);
    }

    void strangerUnlocks(String name) {
        locks.strangerUnlocks(name);
    }

    // What tests ask.

    long count(Class<? extends Request> kind) {
        return received.stream().filter(kind::isInstance).count();
    }

    /** Returns what of that kind arrived, in order. */
    <T extends Request> List<T> received(Class<T> kind) {
        return received.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    boolean isHeld(String name) {
        return locks.isHeld(name);
    }

    boolean isHeldBy(SessionId session, String name) {
        return locks.isHeldBy(session, name);
    }

    int waiters(String name) {
        return locks.waiters(name);
    }

    // The nodes.

    void push(SessionId session, Response response) {
        push(sessions.get(session), response);
    }

    /** A push goes over a connection to the leader, or is lost. */
    private void push(FakeLocks.Session session, Response response) {
        if (session.connection != null && leads(session.connection.node)) {
            session.connection.deliver(new ResponseFrame(ResponseFrame.PUSH, response));
        }
    }

    private boolean leads(Node node) {
        return leader >= 0 && nodes.get(leader) == node;
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
        if (!leads(from.node)) {
            return new Response.NotLeader(hintOf(from.node));
        }
        if (request instanceof Request.OpenSession open) {
            return locks.open(from, open);
        }
        if (request instanceof Request.CloseSession close) {
            return locks.close(close);
        }
        if (request instanceof Request.Attach attach) {
            return locks.attach(from, attach);
        }
        return sessionAnswer(from, request);
    }

    private String hintOf(Node node) {
        if (node.hint != null) {
            return node.hint;
        }
        return leader < 0 ? "" : nodes.get(leader).address.toString();
    }

    private Response sessionAnswer(FakeConnection from, Request request) {
        FakeLocks.Session session = sessions.get(sessionOf(request));
        if (session == null) {
            return FakeLocks.refused(ErrorCode.SESSION_EXPIRED);
        }
        if (session.connection != from) {
            // Allowed to what was on its way when the client left that connection.
            if (!from.closed) {
                violations.add("not attached: " + request);
            }
            return FakeLocks.refused(ErrorCode.DENIED);
        }
        session.lastSeenNanos = loop.nanoTime();
        return request instanceof Request.KeepAlive keepAlive
                ? locks.keptAlive(session, keepAlive)
                : locks.once(session, request);
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

    // The wires.

    private void later(Runnable task, long delayNanos) {
        if (delayNanos == 0) {
            loop.execute(task);
        } else {
            loop.schedule(task, delayNanos);
        }
    }

    @Override
    public Connection connect(Address address, Listener listener) {
        connects.add(address);
        FakeConnection connection = new FakeConnection(listener);
        later(() -> connection.open(address), latencyNanos);
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
            if (closed) {
                return;
            }
            node =
                    nodes.stream()
                            .filter(each -> each.address.equals(address) && each.up)
                            .findFirst()
                            .orElse(null);
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
            if (lastCallId == 0 && !(frame.request() instanceof Request.Hello)) {
                violations.add("no greeting before " + frame);
            }
            lastCallId = frame.callId();
            sent++;
            later(
                    () -> {
                        if (requestWaits.test(frame.request())) {
                            waitingRequests.add(() -> arrive(frame));
                        } else {
                            arrive(frame);
                        }
                    },
                    latencyNanos + extraNanos.applyAsLong(frame.request()));
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
            if (responseWaits.test(frame.response(), frame.isPush())) {
                waitingResponses.add(() -> goOn(frame));
            } else {
                goOn(frame);
            }
        }

        private void goOn(ResponseFrame frame) {
            later(
                    () -> {
                        if (!closed) {
                            listener.received(frame);
                        }
                    },
                    latencyNanos);
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
                        },
                        latencyNanos);
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
