package io.raftlock.chaos.client;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.FramePipeline;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.RequestFrame;
import io.raftlock.protocol.Response;
import io.raftlock.protocol.ResponseFrame;
import io.raftlock.protocol.SessionId;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

/**
 * A node that serves one session at a time as it should, unless it is told to lie. Its state is
 * owned by its thread of I/O.
 */
final class PretendNode implements AutoCloseable {
    private static final long TTL_MILLIS = 1_000;

    private final EventLoopGroup io = new NioEventLoopGroup(1);
    private final BiFunction<Request, Response, Response> lie;
    private final Channel listener;
    private final Map<Long, Response> answers = new HashMap<>();
    private final Map<Long, Response.Grant> held = new HashMap<>();
    private long session;
    private boolean open;
    private long lastToken;

    /**
     * @param lie makes an answer of the honest one
     */
    PretendNode(BiFunction<Request, Response, Response> lie) {
        this.lie = lie;
        listener =
                new ServerBootstrap()
                        .group(io)
                        .channel(NioServerSocketChannel.class)
                        .childHandler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        FramePipeline.addServerHandlers(channel.pipeline());
                                        channel.pipeline().addLast(new Answers());
                                    }
                                })
                        .bind("127.0.0.1", 0)
                        .syncUninterruptibly()
                        .channel();
    }

    String address() {
        return "127.0.0.1:" + ((InetSocketAddress) listener.localAddress()).getPort();
    }

    @Override
    public void close() {
        io.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private Response honest(Request request) {
        return switch (request.kind()) {
            case HELLO -> new Response.Welcome(1, "n1");
            case OPEN_SESSION -> opened();
            case ATTACH -> open ? new Response.Attached(new SessionId(session)) : expired();
            case CLOSE_SESSION -> closed();
            case KEEP_ALIVE -> open ? keptAlive((Request.KeepAlive) request) : expired();
            case ACQUIRE ->
                    answers.computeIfAbsent(((Request.Acquire) request).number(), this::granted);
            case CANCEL_ACQUIRE -> new Response.Cancelled();
            case RELEASE -> released((Request.Release) request);
            case STATUS -> new Response.Refused(ErrorCode.MALFORMED, "not asked for");
        };
    }

    private Response opened() {
        session++;
        open = true;
        answers.clear();
        return new Response.SessionOpened(new SessionId(session), TTL_MILLIS);
    }

    private Response closed() {
        open = false;
        held.clear();
        return new Response.SessionClosed();
    }

    private Response granted(long number) {
        lastToken++;
        Response.Grant grant = new Response.Grant(number, lastToken, 0);
        held.put(number, grant);
        return new Response.Granted(grant, 0);
    }

    private Response released(Request.Release release) {
        held.values().removeIf(grant -> grant.token() == release.token());
        return new Response.Released();
    }

    private Response keptAlive(Request.KeepAlive request) {
        List<Response.Grant> grants = new ArrayList<>();
        List<Long> gone = new ArrayList<>();
        for (long number : request.pending()) {
            if (held.containsKey(number)) {
                grants.add(held.get(number));
            } else {
                gone.add(number);
            }
        }
        return new Response.KeptAlive(0, grants, gone);
    }

    static Response expired() {
        return new Response.Refused(ErrorCode.SESSION_EXPIRED, "");
    }

    private final class Answers extends SimpleChannelInboundHandler<RequestFrame> {
        @Override
        protected void channelRead0(ChannelHandlerContext ctx, RequestFrame frame) {
            Response answer = lie.apply(frame.request(), honest(frame.request()));
            ctx.writeAndFlush(new ResponseFrame(frame.callId(), answer));
        }
    }
}
