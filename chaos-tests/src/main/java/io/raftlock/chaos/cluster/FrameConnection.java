package io.raftlock.chaos.cluster;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.raftlock.protocol.FramePipeline;
import io.raftlock.protocol.ProtocolLimits;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.RequestFrame;
import io.raftlock.protocol.Response;
import io.raftlock.protocol.ResponseFrame;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A plain connection to one node, with any number of requests under way. It follows no leader,
 * retries nothing and renews nothing. For use by any thread; thousands of them share one thread of
 * I/O.
 */
public final class FrameConnection implements AutoCloseable {
    private static final Duration BOUND = Duration.ofSeconds(30);

    private final Map<Long, CompletableFuture<Response>> calls = new ConcurrentHashMap<>();
    private final Queue<Push> pushes = new ConcurrentLinkedQueue<>();
    private final AtomicLong lastCall = new AtomicLong();
    private final Channel channel;

    /** What the node said of its own accord, and when it arrived. */
    public record Push(Response response, long nanos) {}

    private FrameConnection(EventLoopGroup io, SocketAddress node, Duration bound)
            throws IOException {
        ChannelFuture connecting =
                new Bootstrap()
                        .group(io)
                        .channel(NioSocketChannel.class)
                        .option(ChannelOption.TCP_NODELAY, true)
                        .option(
                                ChannelOption.CONNECT_TIMEOUT_MILLIS,
                                Math.toIntExact(bound.toMillis()))
                        .handler(new Frames())
                        .connect(node)
                        .awaitUninterruptibly();
        if (!connecting.isSuccess()) {
            throw new IOException("cannot connect to " + node, connecting.cause());
        }
        channel = connecting.channel();
    }

    /**
     * Connects to a node on 127.0.0.1 and agrees on the version.
     *
     * @param io the thread that reads and writes
     * @throws UncheckedIOException if that does not succeed
     */
    public static FrameConnection open(EventLoopGroup io, int port) {
        try {
            return open(io, InetAddress.getLoopbackAddress().getHostAddress(), port, BOUND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Connects and agrees on the version.
     *
     * @param io the thread that reads and writes
     * @param host name or address of the node's host
     * @param bound on the connecting, and on the answer
     * @throws IOException if that does not succeed
     */
    public static FrameConnection open(EventLoopGroup io, String host, int port, Duration bound)
            throws IOException {
        FrameConnection connection =
                new FrameConnection(
                        io, new InetSocketAddress(InetAddress.getByName(host), port), bound);
        try {
            connection
                    .ask(new Request.Hello(ProtocolLimits.VERSION, ProtocolLimits.VERSION))
                    .get(bound.toMillis(), TimeUnit.MILLISECONDS);
            return connection;
        } catch (ExecutionException | TimeoutException e) {
            connection.close();
            throw new IOException(host + " does not answer to Hello", e);
        } catch (InterruptedException e) {
            connection.close();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while connecting to " + host, e);
        }
    }

    /** Sends the request; fails if the connection breaks before the answer. */
    public CompletableFuture<Response> ask(Request request) {
        long call = lastCall.incrementAndGet();
        CompletableFuture<Response> answer = new CompletableFuture<>();
        calls.put(call, answer);
        var unused =
                channel.writeAndFlush(new RequestFrame(ProtocolLimits.DEFAULT_GROUP, call, request))
                        .addListener(
                                sent -> {
                                    if (!sent.isSuccess()) {
                                        answer.completeExceptionally(sent.cause());
                                    }
                                });
        return answer;
    }

    /** Returns the pushes that have come and were not taken, the oldest first. */
    public Queue<Push> pushes() {
        return pushes;
    }

    @Override
    public void close() {
        channel.close().awaitUninterruptibly();
    }

    private final class Frames extends ChannelInitializer<Channel> {
        @Override
        protected void initChannel(Channel opened) {
            FramePipeline.addClientHandlers(opened.pipeline());
            opened.pipeline().addLast(new Receiver());
        }
    }

    private final class Receiver extends SimpleChannelInboundHandler<ResponseFrame> {
        @Override
        protected void channelRead0(ChannelHandlerContext ctx, ResponseFrame frame) {
            if (frame.isPush()) {
                pushes.add(new Push(frame.response(), System.nanoTime()));
                return;
            }
            CompletableFuture<Response> answer = calls.remove(frame.callId());
            if (answer != null) {
                answer.complete(frame.response());
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            IOException closed = new IOException("the connection is closed");
            calls.values().forEach(answer -> answer.completeExceptionally(closed));
        }
    }
}
