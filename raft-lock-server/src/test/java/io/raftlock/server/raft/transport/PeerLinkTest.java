package io.raftlock.server.raft.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.alipay.sofa.jraft.error.ConnectionFailureException;
import com.alipay.sofa.jraft.util.Endpoint;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;

@Timeout(30)
class PeerLinkTest {

    /** As if the thread that connects were not scheduled until the connection is over. */
    private static final class LateBootstrap extends Bootstrap {
        @Override
        public Bootstrap clone(EventLoopGroup group) {
            return new LateBootstrap().group(group).channel(NioSocketChannel.class);
        }

        @Override
        public ChannelFuture connect(String host, int port) {
            ChannelFuture connecting = super.connect(host, port);
            assertThat(connecting.channel().closeFuture().awaitUninterruptibly(10_000)).isTrue();
            assertThat(connecting.isSuccess()).isTrue();
            awaitBare(connecting.channel());
            return connecting;
        }
    }

    /** A channel loses its handlers some time after it is closed. */
    private static void awaitBare(Channel closed) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (closed.pipeline().get(OutboundConnection.class) != null) {
            assertThat(System.nanoTime() - deadline).isNegative();
            Thread.onSpinWait();
        }
    }

    @Test
    void aConnectionThatIsOverBeforeItIsLookedAtIsAFailedAttempt() throws Exception {
        EventLoopGroup loops = new NioEventLoopGroup(1);
        try (ServerSocket closing = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            Endpoint peer = new Endpoint("127.0.0.1", closing.getLocalPort());
            PeerLink link =
                    new PeerLink(
                            new Link(peer, peer, LinkFaults.NONE),
                            loops.next(),
                            new LateBootstrap(),
                            TransportSecurity.PLAIN,
                            () -> {});
            for (int attempt = 0; attempt < 2; attempt++) {
                Thread acceptor = new Thread(() -> acceptAndClose(closing));
                acceptor.start();
                assertThatThrownBy(() -> link.awaitConnected(5_000))
                        .isInstanceOf(ConnectionFailureException.class);
                assertThat(link.isReady()).isFalse();
                acceptor.join(5_000);
            }
        } finally {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    private static void acceptAndClose(ServerSocket closing) {
        try {
            closing.accept().close();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
