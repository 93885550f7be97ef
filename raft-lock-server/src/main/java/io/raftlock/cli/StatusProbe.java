package io.raftlock.cli;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.DecoderException;
import io.raftlock.protocol.FramePipeline;
import io.raftlock.protocol.ProtocolLimits;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.RequestFrame;
import io.raftlock.protocol.Response;
import io.raftlock.protocol.Response.NodeStatus;
import io.raftlock.protocol.ResponseFrame;

import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks nodes how they are, all at once and each on a connection of its own. */
final class StatusProbe implements AutoCloseable {
    private final EventLoopGroup eventLoop = new NioEventLoopGroup(1);
    private final Duration timeout;

    StatusProbe(Duration timeout) {
        this.timeout = timeout;
    }

    /**
     * Asks all; the answers are in the order of the endpoints. Takes no longer than the timeout.
     */
    List<Answer> ask(List<Endpoint> endpoints) {
        List<CompletableFuture<Answer>> asked = endpoints.stream().map(this::ask).toList();
        return asked.stream().map(CompletableFuture::join).toList();
    }

    private CompletableFuture<Answer> ask(Endpoint endpoint) {
        CompletableFuture<NodeStatus> status = new CompletableFuture<>();
        ChannelFuture connected =
                new Bootstrap()
                        .group(eventLoop)
                        .channel(NioSocketChannel.class)
                        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) timeout.toMillis())
                        .handler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        FramePipeline.addClientHandlers(channel.pipeline());
                                        channel.pipeline().addLast(new Conversation(status));
                                    }
                                })
                        .connect(endpoint.address().unresolved());
        connected.addListener(
                done -> {
                    if (!done.isSuccess()) {
                        status.completeExceptionally(done.cause());
                    }
                });
        return status.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .<Answer>thenApply(found -> new Answer.Up(endpoint, found))
                .exceptionally(failure -> new Answer.Down(endpoint, why(failure)))
                .whenComplete((answer, never) -> connected.channel().close());
    }

    private String why(Throwable failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        if (cause instanceof TimeoutException) {
            return "no answer within " + timeout.toMillis() + " ms";
        }
        if (failure instanceof DecoderException || cause instanceof DecoderException) {
            return "does not speak the lock protocol";
        }
        if (cause instanceof UnknownHostException) {
            return "unknown host";
        }
        String message = String.valueOf(cause.getMessage());
        return message.replaceAll("\\s*\\R\\s*", " ").replaceFirst(": [^ ]*[:/][0-9]+$", "");
    }

    @Override
    public void close() {
        eventLoop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(1_000);
    }

    /** Says hello, asks, and completes the future with what comes back. */
    private static final class Conversation extends SimpleChannelInboundHandler<ResponseFrame> {
        private static final long HELLO_CALL = 1;
        private static final long STATUS_CALL = 2;

        private final CompletableFuture<NodeStatus> status;

        Conversation(CompletableFuture<NodeStatus> status) {
            this.status = status;
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            int version = ProtocolLimits.VERSION;
            send(ctx, HELLO_CALL, new Request.Hello(version, version));
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, ResponseFrame frame) {
            if (frame.response() instanceof Response.Welcome) {
                send(ctx, STATUS_CALL, new Request.Status());
            } else if (frame.response() instanceof NodeStatus found) {
                status.complete(found);
            } else if (frame.response() instanceof Response.Refused refused) {
                fail(refused.code() + " " + refused.message());
            } else if (!frame.isPush()) {
                fail("unexpected answer " + frame.response().kind());
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            fail("the connection was closed");
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            status.completeExceptionally(cause);
        }

        private static void send(ChannelHandlerContext ctx, long callId, Request request) {
            ctx.writeAndFlush(new RequestFrame(ProtocolLimits.DEFAULT_GROUP, callId, request));
        }

        private void fail(String why) {
            status.completeExceptionally(new IllegalStateException(why.strip()));
        }
    }
}
