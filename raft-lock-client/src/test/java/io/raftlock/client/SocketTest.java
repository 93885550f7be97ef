package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.raftlock.protocol.FramePipeline;
import io.raftlock.protocol.RequestFrame;
import io.raftlock.protocol.ResponseFrame;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;

/** The client as users build it, over TCP. */
@Timeout(30)
class SocketTest {
    private final NettyLoop serverLoop = new NettyLoop("test-server");
    private FakeCluster cluster;
    private Channel listener;
    private RaftLockClient client;

    @BeforeEach
    void start() throws Exception {
        FutureTask<FakeCluster> made = new FutureTask<>(() -> new FakeCluster(serverLoop, 0));
        serverLoop.execute(made);
        cluster = made.get();
        listener =
                new ServerBootstrap()
                        .group(serverLoop.thread())
                        .channel(NioServerSocketChannel.class)
                        .childHandler(
                                new ChannelInitializer<SocketChannel>() {
                                    @Override
                                    protected void initChannel(SocketChannel channel) {
                                        FramePipeline.addServerHandlers(channel.pipeline());
                                        channel.pipeline().addLast(new Gateway());
                                    }
                                })
                        .bind("127.0.0.1", 0)
                        .sync()
                        .channel();
        int port = ((InetSocketAddress) listener.localAddress()).getPort();
        client =
                RaftLockClient.builder()
                        .endpoints("127.0.0.1:1", "localhost:" + port)
                        .clientName("test")
                        .build();
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        listener.close().sync();
        serverLoop.shutDown();
        assertThat(cluster.violations).isEmpty();
    }

    /** One TCP connection to the leader of the fake cluster. */
    private final class Gateway extends SimpleChannelInboundHandler<RequestFrame>
            implements Transport.Listener {
        private final Queue<RequestFrame> early = new ArrayDeque<>();
        private Channel channel;
        private Transport.Connection inner;
        private boolean connected;

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            channel = ctx.channel();
            inner = cluster.connect(cluster.nodes.get(0).address, this);
        }

        @Override
        public void connected() {
            connected = true;
            early.forEach(inner::send);
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, RequestFrame frame) {
            if (connected) {
                inner.send(frame);
            } else {
                early.add(frame);
            }
        }

        @Override
        public void received(ResponseFrame frame) {
            channel.writeAndFlush(frame);
        }

        @Override
        public void closed(String reason) {
            channel.close();
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            inner.close();
        }
    }

    @Test
    void locksOverTcpAndFindsTheNodeThatIsUp() {
        DistributedLock lock = client.lock("orders/42");
        lock.lock();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(lock.tryAcquire(Duration.ofMillis(50))).isEmpty();
        lock.unlock();
        assertThat(client.sessionState()).isEqualTo(SessionState.ACTIVE);
    }

    @Test
    void aConnectionThatBreaksIsMadeAgainAndTheHoldGoesOn() throws Exception {
        LockGrant grant = client.lock("k").acquire();
        serverLoop.execute(cluster::cutConnections);
        LockGrant other = client.lock("other").acquire();
        assertThat(grant.isHeld()).isTrue();
        grant.release();
        other.release();
    }

    @Test
    void thousandsOfCallsInFlight() {
        List<CompletableFuture<Void>> cycles = new ArrayList<>();
        for (int at = 0; at < 20_000; at++) {
            cycles.add(client.lock("k" + at).acquireAsync().thenCompose(LockGrant::releaseAsync));
        }
        CompletableFuture.allOf(cycles.toArray(CompletableFuture[]::new)).join();
        assertThat(cycles).allMatch(CompletableFuture::isDone);
    }
}
