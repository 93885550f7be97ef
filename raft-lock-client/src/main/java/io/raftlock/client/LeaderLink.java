package io.raftlock.client;

import io.netty.util.collection.LongObjectHashMap;
import io.raftlock.protocol.ProtocolLimits;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.RequestFrame;
import io.raftlock.protocol.Response;
import io.raftlock.protocol.ResponseFrame;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Finds the leader and keeps one connection to it. Owned by the loop.
 *
 * <p>What was asked on a connection that is lost stays without answer: the owner is told of the
 * loss and asks again on the next one. So is what a node refuses because it does not lead.
 */
final class LeaderLink {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderLink.class);

    /** Enough for a name server; the connect itself is bounded more tightly by the transport. */
    private static final long CONNECT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long GREETING_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** Nodes go on naming a dead leader until they miss it; it is not asked again so soon. */
    private static final long AVOID_FAILED_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** Two nodes that name each other do not keep a client running to and fro without a pause. */
    private static final int MAX_HINTS_IN_A_ROW = 2;

    /**
     * So long a node is given to name the next leader, or to begin to lead, when it led till now or
     * another one has named it. A leader that stops hears who follows it, and sooner than a search
     * among nodes that have not heard it yet ends.
     */
    private static final long WORD_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

    /** A connection that served that long was no passing success: the pauses start small again. */
    private static final long STEADY_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(60);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final double PAUSE_GROWTH = 1.25;

    /** A timer that comes later than this says that this process stood still, not the node. */
    private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Loop loop;
    private final Transport transport;
    private final Endpoints endpoints;
    private final Owner owner;
    private final long silenceNanos;
    private final Backoff backoff;
    private @Nullable Attempt current;
    private Loop.@Nullable Timer pause;
    private int hintsInARow;
    private boolean closed;

    /** Who uses the link. */
    interface Owner {
        /** A node answers; whether it leads shows when it is asked for something. */
        void linkUp();

        /** The connection is gone, and with it all that had no answer. */
        void linkDown();

        void pushed(Response response);
    }

    /** Takes the answer to one request. */
    interface Answered {
        /**
         * Acts on the answer.
         *
         * @param sentNanos when the request was handed to the connection, or a little earlier
         */
        void answered(Response response, long sentNanos);
    }

    private record Call(Answered handler, long sentNanos) {}

    /**
     * Does nothing until {@link #want}.
     *
     * @param silenceNanos after which a node that answers nothing is taken for dead
     */
    LeaderLink(
            Loop loop,
            Transport transport,
            Endpoints endpoints,
            RandomGenerator random,
            long silenceNanos,
            Owner owner) {
        this.loop = loop;
        this.transport = transport;
        this.endpoints = endpoints;
        this.owner = owner;
        this.silenceNanos = silenceNanos;
        this.backoff = new Backoff(FIRST_PAUSE_NANOS, LONGEST_PAUSE_NANOS, PAUSE_GROWTH, random);
    }

    /** Starts to look for the leader, if there is neither a connection nor a search. */
    void want() {
        if (!closed && current == null && pause == null) {
            connect(endpoints.next(), false);
        }
    }

    boolean isUp() {
        return current != null && current.up;
    }

    /** Asks the node on the other side; only while {@link #isUp}. */
    void send(Request request, Answered handler) {
        if (current == null) {
            throw new IllegalStateException("no connection");
        }
        current.send(request, handler);
    }

    /** The node on the other side has done what only a leader does. */
    void served() {
        if (current != null) {
            current.served();
        }
    }

    /** Gives up the node on the other side, unless the connection is very young, and looks on. */
    void mistrust(String reason) {
        Attempt attempt = current;
        if (attempt != null && loop.nanoTime() - attempt.startNanos > silenceNanos) {
            leave(attempt, reason, "");
        }
    }

    void close() {
        closed = true;
        if (pause != null) {
            pause.cancel();
        }
        if (current != null) {
            current.end();
            current = null;
        }
    }

    private void connect(Address address, boolean isNamed) {
        Attempt attempt = new Attempt(address, isNamed);
        current = attempt;
        attempt.start();
    }

    private void leave(Attempt attempt, String reason, String hint) {
        if (current != attempt) {
            return;
        }
        LOG.debug("leaving {}: {}", attempt.address, reason);
        current = null;
        attempt.end();
        if (attempt.servedLong()) {
            backoff.reset();
        }
        if (attempt.up) {
            owner.linkDown();
        }
        if (closed || current != null || pause != null) {
            return;
        }
        if (attempt.waitsForLeader && hint.isEmpty()) {
            // The pause before the next node was spent here.
            hintsInARow = 0;
            connect(endpoints.next(), false);
        } else {
            lookOn(attempt.address, Address.parse(hint).orElse(null));
        }
    }

    private void lookOn(Address left, @Nullable Address hint) {
        if (hint != null && mayGo(left, hint)) {
            hintsInARow++;
            connect(hint, true);
            return;
        }
        hintsInARow = 0;
        pause =
                loop.schedule(
                        () -> {
                            pause = null;
                            connect(endpoints.next(), false);
                        },
                        backoff.nextNanos());
    }

    private boolean mayGo(Address from, Address hint) {
        endpoints.learn(hint);
        return !hint.equals(from) && mayFollow(hint);
    }

    private boolean mayFollow(Address hint) {
        return hintsInARow < MAX_HINTS_IN_A_ROW
                && !endpoints.failedWithin(hint, AVOID_FAILED_NANOS, loop.nanoTime());
    }

    /** One connection, from the first packet on. */
    private final class Attempt implements Transport.Listener {
        private final Address address;
        private final boolean isNamed;
        private final long startNanos = loop.nanoTime();
        private final LongObjectHashMap<Call> calls = new LongObjectHashMap<>();
        private Transport.@Nullable Connection connection;
        private Loop.Timer timer = Loop.Timer.NONE;
        private boolean timerSet;
        private boolean up;
        private boolean waitsForLeader;
        private boolean serving;
        private long servingSince;
        private long lastCallId;
        private long quietSince = startNanos;

        Attempt(Address address, boolean isNamed) {
            this.address = address;
            this.isNamed = isNamed;
        }

        void start() {
            timer = loop.schedule(() -> fail("no connection within a second"), CONNECT_NANOS);
            connection = transport.connect(address, this);
        }

        @Override
        public void connected() {
            if (current != this) {
                return;
            }
            timer.cancel();
            timer = loop.schedule(() -> fail("connected, but answers nothing"), GREETING_NANOS);
            send(
                    new Request.Hello(ProtocolLimits.VERSION, ProtocolLimits.VERSION),
                    (response, sent) -> greeted(response));
        }

        private void greeted(Response response) {
            timer.cancel();
            if (response.kind() != Response.Kind.WELCOME) {
                fail("does not accept this client: " + Messages.of(response));
                return;
            }
            up = true;
            timerSet = false;
            endpoints.worked(address);
            owner.linkUp();
        }

        void send(Request request, Answered handler) {
            if (connection == null) {
                return;
            }
            long now = loop.nanoTime();
            if (calls.isEmpty()) {
                quietSince = now;
            }
            lastCallId++;
            calls.put(lastCallId, new Call(handler, now));
            connection.send(new RequestFrame(ProtocolLimits.DEFAULT_GROUP, lastCallId, request));
            if (up && !timerSet) {
                watch(silenceNanos);
            }
        }

        @Override
        public void received(ResponseFrame frame) {
            if (current != this) {
                return;
            }
            quietSince = loop.nanoTime();
            Response response = frame.response();
            if (response instanceof Response.NotLeader notLeader) {
                leaderNamed(Address.parse(notLeader.leaderAddress()).orElse(null), frame.isPush());
            } else if (frame.isPush()) {
                owner.pushed(response);
            } else {
                Call call = calls.remove(frame.callId());
                if (call != null) {
                    call.handler.answered(response, call.sentNanos);
                }
            }
        }

        @Override
        public void closed(String reason) {
            fail(reason);
        }

        private void leaderNamed(@Nullable Address leader, boolean isPush) {
            if (isPush && address.equals(leader)) {
                serveAgain();
            } else if (leader != null && mayGo(address, leader)) {
                leave(this, "does not lead", leader.toString());
            } else if (!waitsForLeader) {
                waitForLeader();
            }
        }

        private void serveAgain() {
            if (waitsForLeader) {
                waitsForLeader = false;
                timer.cancel();
                timerSet = false;
                up = true;
                owner.linkUp();
            }
        }

        /** Stays a while: a node that hears of a new leader says so at once. */
        private void waitForLeader() {
            waitsForLeader = true;
            timer.cancel();
            calls.clear();
            timer = loop.schedule(() -> leave(this, "knows no leader", ""), patienceNanos());
            if (up) {
                up = false;
                owner.linkDown();
            }
        }

        private long patienceNanos() {
            long pause = backoff.nextNanos();
            return serving || isNamed ? Math.max(pause, WORD_NANOS) : pause;
        }

        void served() {
            hintsInARow = 0;
            if (!serving) {
                serving = true;
                servingSince = loop.nanoTime();
            }
        }

        boolean servedLong() {
            return serving && loop.nanoTime() - servingSince > STEADY_NANOS;
        }

        void end() {
            timer.cancel();
            calls.clear();
            if (connection != null) {
                connection.close();
            }
        }

        private void fail(String reason) {
            if (current == this) {
                endpoints.failed(address, reason, loop.nanoTime());
                leave(this, reason, "");
            }
        }

        private void watch(long delayNanos) {
            timerSet = true;
            long due = loop.nanoTime() + delayNanos;
            timer = loop.schedule(() -> checkSilence(due), delayNanos);
        }

        private void checkSilence(long due) {
            timerSet = false;
            long now = loop.nanoTime();
            if (calls.isEmpty()) {
                return;
            }
            long left = quietSince + silenceNanos - now;
            if (left > 0) {
                watch(left);
            } else if (now - due > LATE_NANOS) {
                // The answers may lie in the socket: they are read before the next look.
                watch(LATE_NANOS);
            } else {
                fail("answers nothing any more");
            }
        }
    }
}
