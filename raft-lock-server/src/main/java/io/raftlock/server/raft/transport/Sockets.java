package io.raftlock.server.raft.transport;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Native epoll where there is one, NIO elsewhere, and the socket options of both. */
final class Sockets {
    /**
     * How long sent bytes may stay unacknowledged by the peer's kernel. Without it TCP would try
     * again ever more seldom, and a link that was cut for a minute would heal a minute late.
     */
    private static final int UNACKNOWLEDGED_MILLIS = 3_000;

    private static final int KEEPALIVE_IDLE_SECONDS = 10;
    private static final int KEEPALIVE_INTERVAL_SECONDS = 5;
    private static final int KEEPALIVE_PROBES = 3;

    private static final int STOP_SECONDS = 1;

    private Sockets() {}

    /** Loops start their threads when they are first used. */
    static EventLoopGroup loops(int count, String name) {
        ThreadFactory threads = new DefaultThreadFactory(name, true);
        return Epoll.isAvailable()
                ? new EpollEventLoopGroup(count, threads)
                : new NioEventLoopGroup(count, threads);
    }

    /** Needs no attention: the handlers of the channel learn that it has closed. */
    static void close(Channel channel) {
        ChannelFuture unused = channel.close();
    }

    static void stop(EventLoopGroup loops) {
        Future<?> unused = loops.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS);
    }

    static Bootstrap client() {
        Bootstrap bootstrap =
                new Bootstrap()
                        .option(ChannelOption.TCP_NODELAY, true)
                        .option(ChannelOption.SO_KEEPALIVE, true);
        if (!Epoll.isAvailable()) {
            return bootstrap.channel(NioSocketChannel.class);
        }
        return bootstrap
                .channel(EpollSocketChannel.class)
                .option(EpollChannelOption.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MILLIS)
                .option(EpollChannelOption.TCP_KEEPIDLE, KEEPALIVE_IDLE_SECONDS)
                .option(EpollChannelOption.TCP_KEEPINTVL, KEEPALIVE_INTERVAL_SECONDS)
                .option(EpollChannelOption.TCP_KEEPCNT, KEEPALIVE_PROBES);
    }

    static ServerBootstrap server() {
        ServerBootstrap bootstrap =
                new ServerBootstrap()
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.SO_KEEPALIVE, true);
        if (!Epoll.isAvailable()) {
            return bootstrap.channel(NioServerSocketChannel.class);
        }
        return bootstrap
                .channel(EpollServerSocketChannel.class)
                .childOption(EpollChannelOption.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MILLIS)
                .childOption(EpollChannelOption.TCP_KEEPIDLE, KEEPALIVE_IDLE_SECONDS)
                .childOption(EpollChannelOption.TCP_KEEPINTVL, KEEPALIVE_INTERVAL_SECONDS)
                .childOption(EpollChannelOption.TCP_KEEPCNT, KEEPALIVE_PROBES);
    }
}
