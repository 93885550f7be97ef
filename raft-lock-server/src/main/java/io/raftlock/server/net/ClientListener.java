package io.raftlock.server.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.raftlock.protocol.FramePipeline;
import io.raftlock.server.wire.Sockets;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The port for clients. Bound first, so that a port in use is found before anything is written. */
public final class ClientListener implements AutoCloseable {
    private static final int IO_THREADS = 2;
    private static final int BACKLOG = 4_096;
    private static final long STOP_MILLIS = 1_000;

    private final int maxConnections;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicLong accepted = new AtomicLong();
    private final EventLoopGroup loops;
    private volatile @Nullable FrontEnd frontEnd;
    private @Nullable Channel listening;

    public ClientListener(int maxConnections) {
        this.maxConnections = maxConnections;
        loops = Sockets.loops(IO_THREADS, "client-io");
    }

    /**
     * Takes the port, and lets nobody in before {@link #open}.
     *
     * @throws IOException if the address cannot be bound, for example because it is in use
     */
    public void bind(InetSocketAddress address) throws IOException {
        ChannelFuture bound =
                Sockets.server()
                        .group(loops)
                        .option(ChannelOption.SO_BACKLOG, BACKLOG)
                        .option(ChannelOption.AUTO_READ, false)
                        .childHandler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        accept(channel);
                                    }
                                })
                        .bind(address)
                        .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException("cannot listen on " + address, bound.cause());
        }
        listening = bound.channel();
    }

    /** Lets clients in. */
    public void open(FrontEnd to) {
        frontEnd = to;
        if (listening != null) {
            listening.config().setAutoRead(true);
        }
    }

    /** Returns how many connections are open. Any thread. */
    public int openConnections() {
        return connections.get();
    }

    /** Returns how many connections have come since the start, refused ones too. Any thread. */
    public long acceptedConnections() {
        return accepted.get();
    }

    private void accept(Channel channel) {
        FrontEnd to = frontEnd;
        accepted.incrementAndGet();
        int open = connections.incrementAndGet();
        channel.closeFuture().addListener(closed -> connections.decrementAndGet());
        if (to == null || open > maxConnections) {
            channel.close();
        } else {
            FramePipeline.addServerHandlers(channel.pipeline());
            channel.pipeline().addLast(to.connection());
        }
    }

    /** Closes the port and all connections. */
    @Override
    public void close() {
        if (listening != null) {
            listening.close().awaitUninterruptibly(STOP_MILLIS);
        }
        Sockets.stop(loops).awaitUninterruptibly(2 * STOP_MILLIS);
    }
}
