package io.raftlock.bench.peer;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.raftlock.protocol.EndReason;
import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.FramePipeline;
import io.raftlock.protocol.ProtocolLimits;
import io.raftlock.protocol.RequestFrame;
import io.raftlock.protocol.Response;
import io.raftlock.protocol.ResponseFrame;
import io.raftlock.protocol.SessionId;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

class RawSessionTest {
    private static final SessionId SESSION = new SessionId(7);
    private static final Response KEPT = new Response.KeptAlive(1, List.of(), List.of());

    private final EventLoopGroup loops = new NioEventLoopGroup(1);

    @AfterEach
    void end() {
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    @Test
    void theLeaderIsFoundAndKeepsTheSessionAlive() throws Exception {
        try (KeepAlives keepAlives = KeepAlives.open(List.of(follower(), leader(KEPT)))) {
            keepAlives.renew();
            keepAlives.renew();
        }
    }

    @Test
    void whoFindsNoLeaderIsToldWhatTheLastNodeSaid() {
        assertThatThrownBy(() -> KeepAlives.open(List.of(follower())))
                .hasMessage("no node opens a session")
                .hasStackTraceContaining("NotLeader[leaderAddress=elsewhere:1]");
    }

    @Test
    void aSessionWhoseKeepAliveIsRefusedIsLost() {
        String leader = leader(new Response.Refused(ErrorCode.SESSION_EXPIRED, "too late"));
        try (KeepAlives keepAlives = KeepAlives.open(List.of(leader))) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(keepAlives::renew)
                        .hasMessageContaining("a session was lost")
                        .hasMessageContaining("SESSION_EXPIRED");
            }
        }
    }

    @Test
    void whoWaitsWhenTheSessionEndsIsTold() {
        String leader = leader(new Response.SessionEnded(SESSION, EndReason.SESSION_EXPIRED));
        try (KeepAlives keepAlives = KeepAlives.open(List.of(leader))) {
            assertThatThrownBy(keepAlives::renew)
                    .hasMessageContaining("it was ended, SESSION_EXPIRED");
        }
    }

    private String follower() {
        return node(new Response.NotLeader("elsewhere:1"), KEPT);
    }

    private String leader(Response toKeepAlive) {
        return node(new Response.SessionOpened(SESSION, 10_000), toKeepAlive);
    }

    /** Starts one that answers like this, and returns its address. */
    private String node(Response toOpen, Response toKeepAlive) {
        Channel listening =
                new ServerBootstrap()
                        .group(loops)
                        .channel(NioServerSocketChannel.class)
                        .childHandler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        FramePipeline.addServerHandlers(channel.pipeline());
                                        channel.pipeline().addLast(new Node(toOpen, toKeepAlive));
                                    }
                                })
                        .bind("127.0.0.1", 0)
                        .syncUninterruptibly()
                        .channel();
        return "127.0.0.1:" + ((InetSocketAddress) listening.localAddress()).getPort();
    }

    private static final class Node extends SimpleChannelInboundHandler<RequestFrame> {
        private final Response toOpen;
        private final Response toKeepAlive;

        Node(Response toOpen, Response toKeepAlive) {
            this.toOpen = toOpen;
            this.toKeepAlive = toKeepAlive;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, RequestFrame frame) {
            Response response =
                    switch (frame.request().kind()) {
                        case HELLO -> new Response.Welcome(ProtocolLimits.VERSION, "n1");
                        case OPEN_SESSION -> toOpen;
                        case KEEP_ALIVE -> toKeepAlive;
                        case CLOSE_SESSION -> new Response.SessionClosed();
                        case ATTACH, ACQUIRE, CANCEL_ACQUIRE, RELEASE, STATUS ->
                                throw new IllegalArgumentException("not asked here");
                    };
            boolean isPush = response instanceof Response.SessionEnded;
            ctx.writeAndFlush(
                    new ResponseFrame(isPush ? ResponseFrame.PUSH : frame.callId(), response));
        }
    }
}
