package io.raftlock.bench.peer;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.raftlock.protocol.ClientMetadata;
import io.raftlock.protocol.FramePipeline;
import io.raftlock.protocol.ProtocolLimits;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.RequestFrame;
import io.raftlock.protocol.Response;
import io.raftlock.protocol.ResponseFrame;
import io.raftlock.protocol.SessionId;
import io.raftlock.protocol.SessionSecret;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A session of raft-lock on a connection of its own, by the protocol alone. It is kept alive when
 * somebody says so; a client does that by itself. For use by any thread.
 */
public final class RawSession {
    private static final int CONNECT_MILLIS = 5_000;

    private final Line line;
    private final SessionId id;
    private final SessionSecret secret;

    private RawSession(Line line, SessionId id, SessionSecret secret) {
        this.line = line;
        this.id = id;
        this.secret = secret;
    }

    /**
     * Opens one. The future's dependents run on a thread of the loops.
     *
     * @param node fails with another than the leader
     * @param name as the nodes show it
     */
    public static CompletableFuture<RawSession> open(
            EventLoopGroup loops, InetSocketAddress node, Duration ttl, String name) {
        Line line = new Line();
        var unused =
                new Bootstrap()
                        .group(loops)
                        .channel(NioSocketChannel.class)
                        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                        .option(ChannelOption.TCP_NODELAY, true)
                        .handler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        FramePipeline.addClientHandlers(channel.pipeline());
                                        channel.pipeline().addLast(line);
                                    }
                                })
                        .connect(node)
                        .addListener(
                                done -> {
                                    if (!done.isSuccess()) {
                                        line.up.completeExceptionally(done.cause());
                                    }
                                });
        return line.up.thenCompose(context -> open(line, ttl, name));
    }

    private static CompletableFuture<RawSession> open(Line line, Duration ttl, String name) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        SessionSecret secret = new SessionSecret(random.nextLong(), random.nextLong());
        var unused =
                line.ask(
                        new Request.Hello(ProtocolLimits.VERSION, ProtocolLimits.VERSION),
                        Response.Welcome.class);
        return line.ask(
                        new Request.OpenSession(
                                secret, ttl.toMillis(), new ClientMetadata(name, "bench", 1)),
                        Response.SessionOpened.class)
                .thenApply(opened -> new RawSession(line, opened.session(), secret));
    }

    /** Completes when the leader says that the session lives; fails when the session is lost. */
    public CompletableFuture<Response.KeptAlive> keepAlive() {
        return line.ask(new Request.KeepAlive(id, List.of()), Response.KeptAlive.class);
    }

    /** Completes with the reason when the session is lost, or its connection. */
    public CompletableFuture<String> lost() {
        return line.lost;
    }

    /** Ends it; completes when the leader knows. */
    public CompletableFuture<Response.SessionClosed> close() {
        return line.ask(new Request.CloseSession(id, secret), Response.SessionClosed.class);
    }

    /** What was asked, and waits for an answer. */
    private record Call<T extends Response>(Class<T> wanted, CompletableFuture<T> answer) {

        /** Takes the answer, unless it is another than the wanted one. */
        boolean take(Response response) {
            return wanted.isInstance(response) && answer.complete(wanted.cast(response));
        }
    }

    /** Its connection. Owned by the event loop. */
    private static final class Line extends SimpleChannelInboundHandler<ResponseFrame> {
        private final CompletableFuture<ChannelHandlerContext> up = new CompletableFuture<>();
        private final CompletableFuture<String> lost = new CompletableFuture<>();
        private final Map<Long, Call<?>> calls = new HashMap<>();
        private long lastCall;

        /** Any thread, once it is up. */
        <T extends Response> CompletableFuture<T> ask(Request request, Class<T> wanted) {
            Call<T> call = new Call<>(wanted, new CompletableFuture<>());
            ChannelHandlerContext ctx = up.join();
            ctx.executor().execute(() -> send(ctx, request, call));
            return call.answer;
        }

        private void send(ChannelHandlerContext ctx, Request request, Call<?> call) {
            if (lost.isDone()) {
                fail(call);
                return;
            }
            lastCall++;
            calls.put(lastCall, call);
            ctx.writeAndFlush(new RequestFrame(ProtocolLimits.DEFAULT_GROUP, lastCall, request));
        }

        private void fail(Call<?> call) {
            call.answer.completeExceptionally(new IllegalStateException(lost.join()));
        }

        private void lose(ChannelHandlerContext ctx, String reason) {
            if (lost.complete("a session was lost: " + reason)) {
                calls.values().forEach(this::fail);
                calls.clear();
                ctx.close();
            }
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            up.complete(ctx);
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, ResponseFrame frame) {
            Call<?> call = calls.get(frame.callId());
            if (call != null && !call.take(frame.response())) {
                lose(ctx, "a node answered " + frame.response());
            } else if (frame.response() instanceof Response.SessionEnded ended) {
                lose(ctx, "it was ended, " + ended.reason());
            }
            calls.remove(frame.callId());
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            lose(ctx, "its connection was closed");
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            lose(ctx, cause.toString());
        }
    }
}
