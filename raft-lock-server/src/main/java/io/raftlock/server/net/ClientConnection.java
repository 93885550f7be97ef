package io.raftlock.server.net;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.ProtocolException;
import io.raftlock.protocol.ProtocolLimits;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.RequestFrame;
import io.raftlock.protocol.Response;
import io.raftlock.protocol.ResponseFrame;
import io.raftlock.protocol.SessionId;
import io.raftlock.server.session.LeaderTime;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One client's connection. Its fields belong to its event loop, but for the session it speaks for,
 * which the apply thread sets when it has opened one, and the count of what is not answered yet.
 */
final class ClientConnection extends SimpleChannelInboundHandler<RequestFrame> {
    private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);
    private static final long HELLO_SECONDS = 10;

    private record Attachment(SessionId session, SessionLine line) {}

    private final RequestRouter router;
    private final LeaderTime time;
    private @Nullable Outbox outbox;
    private @Nullable Future<?> helloTimer;
    private boolean greeted;
    private final AtomicInteger unanswered = new AtomicInteger();
    private volatile @Nullable Attachment attachment;

    ClientConnection(RequestRouter router, LeaderTime time) {
        this.router = router;
        this.time = time;
    }

    // -- for any thread

    /** Adds a frame, which goes out with the next flush. */
    void add(ResponseFrame frame) {
        Outbox open = outbox;
        if (open != null) {
            open.add(frame);
        }
    }

    void flush() {
        Outbox open = outbox;
        if (open != null) {
            open.flush();
        }
    }

    /** As {@link #flush}, by this thread. */
    void flushNow() {
        Outbox open = outbox;
        if (open != null) {
            open.flushNow();
        }
    }

    void send(long callId, Response response) {
        add(new ResponseFrame(callId, response));
        flush();
    }

    void attached(SessionId session, SessionLine line) {
        attachment = new Attachment(session, line);
    }

    void detached() {
        attachment = null;
    }

    boolean speaksFor(SessionId session) {
        Attachment current = attachment;
        return current != null && current.session().equals(session);
    }

    /** This node leads no more: what comes next on this connection cannot be for it. */
    void leaderLost(String leaderAddress) {
        detached();
        send(ResponseFrame.PUSH, new Response.NotLeader(leaderAddress));
    }

    // -- on the event loop

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        outbox = new Outbox(ctx.channel(), unanswered::decrementAndGet);
        helloTimer = ctx.executor().schedule(() -> ctx.close(), HELLO_SECONDS, TimeUnit.SECONDS);
        router.opened(this);
    }

    /** A timer that stayed would keep the connection in memory after its end. */
    private void stopHelloTimer() {
        if (helloTimer != null) {
            helloTimer.cancel(false);
            helloTimer = null;
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        stopHelloTimer();
        Attachment last = attachment;
        if (last != null) {
            last.line().disconnect(this);
        }
        router.closed(this);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, RequestFrame frame) {
        if (!greeted) {
            greet(ctx, frame);
            return;
        }
        Attachment current = attachment;
        if (current != null) {
            current.line().heard(time.at(System.nanoTime()));
        }
        if (unanswered.incrementAndGet() > ProtocolLimits.MAX_UNANSWERED_REQUESTS) {
            send(frame.callId(), new Response.Refused(ErrorCode.BUSY, "too many requests at once"));
        } else if (frame.group() != ProtocolLimits.DEFAULT_GROUP) {
            send(
                    frame.callId(),
                    new Response.Refused(
                            ErrorCode.MALFORMED, "there is no lock group " + frame.group()));
        } else {
            router.route(this, frame.callId(), frame.request());
        }
    }

    private void greet(ChannelHandlerContext ctx, RequestFrame frame) {
        if (!(frame.request() instanceof Request.Hello hello)) {
            throw new ProtocolException("the first frame has to be Hello");
        }
        greeted = true;
        stopHelloTimer();
        unanswered.incrementAndGet();
        if (hello.minVersion() <= ProtocolLimits.VERSION
                && ProtocolLimits.VERSION <= hello.maxVersion()) {
            send(frame.callId(), router.welcome());
        } else {
            send(
                    frame.callId(),
                    new Response.Refused(
                            ErrorCode.UNSUPPORTED_VERSION,
                            "this node speaks protocol version %d, the client %d to %d"
                                    .formatted(
                                            ProtocolLimits.VERSION,
                                            hello.minVersion(),
                                            hello.maxVersion())));
            ctx.executor().schedule(() -> ctx.close(), 1, TimeUnit.SECONDS);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        // A connection that breaks is nothing to report: it happens to every client that dies.
        if (!(cause instanceof IOException)) {
            LOG.warn(
                    "closed the connection from {}: {}",
                    ctx.channel().remoteAddress(),
                    cause.toString());
        }
        ctx.close();
    }
}
