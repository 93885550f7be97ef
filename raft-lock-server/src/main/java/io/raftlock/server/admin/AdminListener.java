package io.raftlock.server.admin;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.util.concurrent.DefaultThreadFactory;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** The port for people and their tools. One thread serves it: nothing here is in a hurry. */
public final class AdminListener implements AutoCloseable {
    private static final int MAX_REQUEST_BYTES = 8 * 1024;
    private static final int IDLE_SECONDS = 30;
    private static final long STOP_MILLIS = 500;

    private final NioEventLoopGroup loop =
            new NioEventLoopGroup(1, new DefaultThreadFactory("admin-io", true));

    /**
     * Takes the port and serves it.
     *
     * @throws IOException if the address cannot be bound, for example because it is in use
     */
    public void open(InetSocketAddress address, AdminPages pages) throws IOException {
        ChannelFuture bound =
                new ServerBootstrap()
                        .group(loop)
                        .channel(NioServerSocketChannel.class)
                        .childHandler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        channel.pipeline()
                                                .addLast(
                                                        new ReadTimeoutHandler(IDLE_SECONDS),
                                                        new HttpServerCodec(),
                                                        new HttpObjectAggregator(MAX_REQUEST_BYTES),
                                                        new AdminConnection(pages));
                                    }
                                })
                        .bind(address)
                        .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException("cannot listen on " + address, bound.cause());
        }
    }

    /** Closes the port and all connections. */
    @Override
    public void close() {
        loop.shutdownGracefully(0, STOP_MILLIS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(2 * STOP_MILLIS);
    }
}
