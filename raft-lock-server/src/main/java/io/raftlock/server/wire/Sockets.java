package io.raftlock.server.wire;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;

import jdk.net.ExtendedSocketOptions;

import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Event loops, connections and their options. */
public final class Sockets {
    /** When the other end is asked whether it is there: seconds, seconds, times. */
    private static final Map<ChannelOption<Integer>, Integer> KEEPALIVE =
            Map.of(
                    NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPIDLE), 10,
                    NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPINTERVAL), 5,
                    NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPCOUNT), 3);

    private static final long STOP_MILLIS = 1_000;

    private Sockets() {}

    /** Loops start their threads when they are first used. */
    public static EventLoopGroup loops(int count, String name) {
        return new NioEventLoopGroup(count, new DefaultThreadFactory(name, true));
    }

    /** Needs no attention: the handlers of the channel learn that it has closed. */
    public static void close(Channel channel) {
        ChannelFuture unused = channel.close();
    }

    /** Does not wait for the end. */
    public static Future<?> stop(EventLoopGroup loops) {
        return loops.shutdownGracefully(0, STOP_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** For connections to others. */
    public static Bootstrap client() {
        Bootstrap bootstrap =
                new Bootstrap()
                        .channelFactory(SharedSocket::new)
                        .option(ChannelOption.TCP_NODELAY, true)
                        .option(ChannelOption.SO_KEEPALIVE, true);
        KEEPALIVE.forEach(bootstrap::option);
        return bootstrap;
    }

    /** For connections that others make. */
    public static ServerBootstrap server() {
        ServerBootstrap bootstrap =
                new ServerBootstrap()
                        .channelFactory(SharedSocket.Server::new)
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.SO_KEEPALIVE, true);
        KEEPALIVE.forEach(bootstrap::childOption);
        return bootstrap;
    }
}
