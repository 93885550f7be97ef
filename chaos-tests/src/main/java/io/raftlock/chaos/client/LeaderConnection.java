package io.raftlock.chaos.client;

import io.raftlock.chaos.cluster.FrameConnection;
import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.Response;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A connection to whoever leads, or may. Owned by the actor of the session that it speaks for. */
final class LeaderConnection {
    private static final long ANSWER_MILLIS = 1_000;

    private final Nodes nodes;
    private final Random random;
    private @Nullable NodeAddress leader;
    private @Nullable FrameConnection connection;
    private boolean attached;
    private long sentNanos;

    LeaderConnection(Nodes nodes, Random random) {
        this.nodes = nodes;
        this.random = random;
    }

    /** Returns when the last request was sent, by this process's clock. */
    long sentNanos() {
        return sentNanos;
    }

    /**
     * Asks once.
     *
     * @param attach has to come first on each connection, if it is there
     * @return done or refused for good; empty if it is to be asked again
     */
    Optional<Response> ask(Optional<Request> attach, Request request) {
        try {
            if (attach.isPresent() && !attached) {
                Optional<Response> answer = ask(attach.get());
                if (!(answer.orElse(null) instanceof Response.Attached)) {
                    return answer;
                }
                attached = true;
            }
            return ask(request);
        } catch (IOException broken) {
            disconnect();
            return Optional.empty();
        }
    }

    /** Sends a request by the connection that there is, if there is one. */
    void send(Request request) {
        if (connection != null) {
            var unused = connection.ask(request);
        }
    }

    /** Asks by a connection to any node, for this once. */
    Optional<Response> askElsewhere(Request attach, Request request) {
        try (FrameConnection other = nodes.connect(nodes.any(random))) {
            Response answer = await(other, attach);
            return answer instanceof Response.Attached
                    ? settled(await(other, request))
                    : Optional.empty();
        } catch (IOException broken) {
            return Optional.empty();
        }
    }

    /** Takes what the node has said of its own accord. */
    List<Response> pushes() {
        List<Response> all = new ArrayList<>();
        if (connection != null) {
            for (var push = connection.pushes().poll();
                    push != null;
                    push = connection.pushes().poll()) {
                all.add(push.response());
            }
        }
        return all;
    }

    void disconnect() {
        if (connection != null) {
            connection.close();
        }
        connection = null;
        attached = false;
    }

    private Optional<Response> ask(Request request) throws IOException {
        FrameConnection to = connected();
        sentNanos = System.nanoTime();
        Response answer = await(to, request);
        if (answer instanceof Response.NotLeader elsewhere) {
            disconnect();
            leader = NodeAddress.parse(elsewhere.leaderAddress()).orElse(null);
        } else if (NumberedSession.isRefusedAs(ErrorCode.DENIED, answer)) {
            disconnect();
        }
        return settled(answer);
    }

    private static Optional<Response> settled(Response answer) {
        boolean askAgain =
                answer instanceof Response.NotLeader
                        || answer instanceof Response.Unknown
                        || NumberedSession.isRefusedAs(ErrorCode.BUSY, answer)
                        || NumberedSession.isRefusedAs(ErrorCode.DENIED, answer);
        return askAgain ? Optional.empty() : Optional.of(answer);
    }

    private FrameConnection connected() throws IOException {
        FrameConnection now = connection;
        if (now == null) {
            NodeAddress to = leader == null ? nodes.any(random) : leader;
            // If it cannot be reached, or gives no answer, any node may know a better one.
            leader = null;
            now = nodes.connect(to);
            connection = now;
            leader = to;
        }
        return now;
    }

    private Response await(FrameConnection to, Request request) throws IOException {
        try {
            return to.ask(request).get(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IOException("the connection broke", e);
        } catch (TimeoutException e) {
            leader = null;
            throw new IOException("no answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
