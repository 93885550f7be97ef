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

import java.util.concurrent.TimeUnit;

/** Event loops, connections and their options. */
public final class Sockets {
    private static final int KEEPALIVE_IDLE_SECONDS = 10;
    private static final int KEEPALIVE_INTERVAL_SECONDS = 5;
    private static final int KEEPALIVE_PROBES = 3;

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
    public static Future<?> stop(EventLoopGroup loops, long millis) {
        return loops.shutdownGracefully(0, millis, TimeUnit.MILLISECONDS);
    }

    /** For connections to others. */
    public static Bootstrap client() {
        return new Bootstrap()
                .channelFactory(SharedSocket::new)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(
                        NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPIDLE),
                        KEEPALIVE_IDLE_SECONDS)
                .option(
                        NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPINTERVAL),
                        KEEPALIVE_INTERVAL_SECONDS)
                .option(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPCOUNT), KEEPALIVE_PROBES);
    }

    /** For connections that others make. */
    public static ServerBootstrap server() {
        return new ServerBootstrap()
                .channelFactory(SharedSocket.Server::new)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(
                        NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPIDLE),
                        KEEPALIVE_IDLE_SECONDS)
                .childOption(
                        NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPINTERVAL),
                        KEEPALIVE_INTERVAL_SECONDS)
                .childOption(
                        NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPCOUNT), KEEPALIVE_PROBES);
    }
}
