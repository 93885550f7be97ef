package io.raftlock.cli;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.raftlock.protocol.FramePipeline;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.RequestFrame;
import io.raftlock.protocol.Response;
import io.raftlock.protocol.ResponseFrame;

import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A node in the eyes of a client: answers each request as a test says, or not at all. */
final class ScriptedNode implements AutoCloseable {
    private final EventLoopGroup eventLoop = new NioEventLoopGroup(1);
    private final Channel listener;

    ScriptedNode(Function<Request, Optional<Response>> script) {
        listener =
                new ServerBootstrap()
                        .group(eventLoop)
                        .channel(NioServerSocketChannel.class)
                        .childHandler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        FramePipeline.addServerHandlers(channel.pipeline());
                                        channel.pipeline().addLast(new Answers(script));
                                    }
                                })
                        .bind("127.0.0.1", 0)
                        .syncUninterruptibly()
                        .channel();
    }

    /** Answers hello, and then with this status. */
    static ScriptedNode withStatus(Response.NodeStatus status) {
        return new ScriptedNode(
                request ->
                        Optional.of(
                                request instanceof Request.Hello
                                        ? new Response.Welcome(1, status.nodeId())
                                        : status));
    }

    String address() {
        return "127.0.0.1:" + ((InetSocketAddress) listener.localAddress()).getPort();
    }

    @Override
    public void close() {
        eventLoop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private static final class Answers extends SimpleChannelInboundHandler<RequestFrame> {
        private final Function<Request, Optional<Response>> script;

        Answers(Function<Request, Optional<Response>> script) {
            this.script = script;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, RequestFrame frame) {
            script.apply(frame.request())
                    .ifPresent(
                            answer -> ctx.writeAndFlush(new ResponseFrame(frame.callId(), answer)));
        }
    }
}
