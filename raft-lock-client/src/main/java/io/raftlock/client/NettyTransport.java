package io.raftlock.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.NetUtil;
import io.raftlock.protocol.FramePipeline;
import io.raftlock.protocol.RequestFrame;
import io.raftlock.protocol.ResponseFrame;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * TCP connections, with all frames of one go written at once. Names are looked up on a thread of
 * their own, for a name server that does not answer must not stop the loop.
 */
final class NettyTransport implements Transport {
    private static final int CONNECT_MILLIS = 300;
    private static final int FIRST_BUFFER_BYTES = 4 * 1024;

    /** Beyond that a write does not wait for the frames still to come. */
    private static final int FULL_BUFFER_BYTES = 64 * 1024;

    private final NettyLoop loop;
    private final Bootstrap bootstrap;
    private final ExecutorService lookups;

    NettyTransport(NettyLoop loop, String threadName) {
        this.loop = loop;
        this.bootstrap =
                new Bootstrap()
                        .group(loop.thread())
                        .channel(NioSocketChannel.class)
                        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                        .option(ChannelOption.TCP_NODELAY, true);
        this.lookups = oneThread(threadName);
    }

    private static ExecutorService oneThread(String name) {
        ThreadPoolExecutor executor =
                new ThreadPoolExecutor(
                        1,
                        1,
                        1,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(64),
                        task -> {
                            Thread thread = new Thread(task, name);
                            thread.setDaemon(true);
                            return thread;
                        });
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    @Override
    public Connection connect(Address address, Listener listener) {
        NettyConnection connection = new NettyConnection(listener);
        byte[] literal = NetUtil.createByteArrayFromIpAddressString(address.host());
        if (literal == null) {
            lookUp(address, connection);
        } else {
            connection.connect(socketAddress(literal, address.port()));
        }
        return connection;
    }

    private static InetSocketAddress socketAddress(byte[] ip, int port) {
        try {
            return new InetSocketAddress(InetAddress.getByAddress(ip), port);
        } catch (UnknownHostException notAnIp) {
            throw new IllegalArgumentException("length of an IP address: " + ip.length, notAnIp);
        }
    }

    private void lookUp(Address address, NettyConnection connection) {
        try {
            lookups.execute(() -> lookUpNow(address, connection));
        } catch (RejectedExecutionException busy) {
            loop.execute(() -> connection.tellClosed("the name server does not answer"));
        }
    }

    private void lookUpNow(Address address, NettyConnection connection) {
        try {
            InetSocketAddress found =
                    new InetSocketAddress(InetAddress.getByName(address.host()), address.port());
            loop.execute(() -> connection.connect(found));
        } catch (UnknownHostException unknown) {
            loop.execute(() -> connection.tellClosed("unknown host"));
        } catch (RejectedExecutionException closed) {
            // The client was closed meanwhile: nobody waits for the address.
            return;
        }
    }

    /** Loop thread only, from the first packet to the last. */
    private final class NettyConnection implements Connection {
        private final Listener listener;
        private @Nullable Channel channel;
        private @Nullable ByteBuf unsent;
        private boolean flushPlanned;
        private boolean over;

        NettyConnection(Listener listener) {
            this.listener = listener;
        }

        void connect(InetSocketAddress address) {
            if (over) {
                return;
            }
            ChannelFuture connecting =
                    bootstrap.clone().handler(new Initializer(this)).connect(address);
            channel = connecting.channel();
            ChannelFuture unused =
                    connecting.addListener(
                            done -> {
                                if (done.isSuccess()) {
                                    tellConnected();
                                } else {
                                    tellClosed(reason(done.cause()));
                                }
                            });
        }

        @Override
        public void send(RequestFrame frame) {
            if (over || channel == null) {
                return;
            }
            if (unsent == null) {
                unsent = channel.alloc().ioBuffer(FIRST_BUFFER_BYTES);
            }
            FramePipeline.writeFrame(frame, unsent);
            if (unsent.readableBytes() > FULL_BUFFER_BYTES) {
                flush();
            } else if (!flushPlanned) {
                // After the tasks that wait in the loop already, which may have more to send.
                flushPlanned = true;
                channel.eventLoop().execute(this::flush);
            }
        }

        private void flush() {
            flushPlanned = false;
            ByteBuf frames = unsent;
            unsent = null;
            if (frames == null) {
                return;
            }
            if (over || channel == null) {
                frames.release();
            } else {
                ChannelFuture unused = channel.writeAndFlush(frames);
            }
        }

        @Override
        public void close() {
            // The last words, like the end of a session, still leave.
            flush();
            over = true;
            if (channel != null) {
                ChannelFuture unused = channel.close();
            }
        }

        void tellConnected() {
            if (!over) {
                listener.connected();
            }
        }

        void tellReceived(ResponseFrame frame) {
            if (!over) {
                listener.received(frame);
            }
        }

        void tellClosed(String reason) {
            if (!over) {
                close();
                listener.closed(reason);
            }
        }
    }

    private static String reason(@Nullable Throwable cause) {
        if (cause == null) {
            return "closed";
        }
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }

    private static final class Initializer extends ChannelInitializer<SocketChannel> {
        private final NettyConnection connection;

        Initializer(NettyConnection connection) {
            this.connection = connection;
        }

        @Override
        protected void initChannel(SocketChannel channel) {
            FramePipeline.addClientHandlers(channel.pipeline());
            channel.pipeline().addLast(new Receiver(connection));
        }
    }

    private static final class Receiver extends SimpleChannelInboundHandler<ResponseFrame> {
        private final NettyConnection connection;

        Receiver(NettyConnection connection) {
            this.connection = connection;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, ResponseFrame frame) {
            connection.tellReceived(frame);
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            connection.tellClosed("closed by the node");
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            connection.tellClosed(reason(cause));
        }
    }

    void shutDown() {
        lookups.shutdownNow();
    }
}
