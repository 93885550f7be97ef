package io.raftlock.bench.scale;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.raftlock.bench.load.LoadFailure;
import io.raftlock.protocol.ClientMetadata;
import io.raftlock.protocol.FramePipeline;
import io.raftlock.protocol.ProtocolLimits;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.RequestFrame;
import io.raftlock.protocol.Response;
import io.raftlock.protocol.ResponseFrame;
import io.raftlock.protocol.SessionSecret;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Many sessions that do nothing but live, each on a connection of its own: what clients that hold
 * locks for long cost a node. In this process they cost far less than clients would.
 */
final class IdleSessions implements Ballast {
    /** As a client does: three keep-alives in a TTL. */
    private static final int KEEP_ALIVES_PER_TTL = 3;

    private static final int UNDER_WAY = 256;
    private static final long POLL_MILLIS = 2;
    private static final Duration BOUND = Duration.ofMinutes(10);

    private final EventLoopGroup loops = new NioEventLoopGroup(1);
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();
    private final Duration ttl;
    private final Bootstrap bootstrap;
    private int asked;
    private volatile long everyNanos;
    private volatile boolean closing;

    /**
     * @param leader where they connect to
     */
    IdleSessions(InetSocketAddress leader, Duration ttl) {
        this.ttl = ttl;
        everyNanos = ttl.toNanos() / KEEP_ALIVES_PER_TTL;
        bootstrap =
                new Bootstrap()
                        .remoteAddress(leader)
                        .group(loops)
                        .channel(NioSocketChannel.class)
                        .option(ChannelOption.TCP_NODELAY, true)
                        .handler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        FramePipeline.addClientHandlers(channel.pipeline());
                                        channel.pipeline().addLast(new Session());
                                    }
                                });
    }

    /** Returns how many keep-alives so many sessions send in a second. */
    double keepAlivesPerSecond(int sessions) {
        return sessions * (double) KEEP_ALIVES_PER_TTL / ttl.toSeconds();
    }

    /** From now on those that are open send as many keep-alives as so many sessions would. */
    void keepAliveAs(int sessions) {
        everyNanos = (long) (open.get() * 1e9 / keepAlivesPerSecond(sessions));
    }

    @Override
    public void growTo(int total) throws InterruptedException {
        long end = System.nanoTime() + BOUND.toNanos();
        Progress progress = new Progress("sessions", total);
        while (open.get() < total) {
            if (System.nanoTime() - end > 0 || lost.get() > 0) {
                throw new LoadFailure(
                        "only %d of %d sessions are open after at most %d s, %d lost"
                                .formatted(open.get(), total, BOUND.toSeconds(), lost.get()));
            }
            if (asked < total && asked - open.get() < UNDER_WAY) {
                bootstrap.connect();
                asked++;
            } else {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
            progress.at(open.get());
        }
    }

    /** Returns how many connections were lost, or sessions ended. */
    int lost() {
        return lost.get();
    }

    @Override
    public void close() {
        closing = true;
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /** One connection. Owned by its event loop. */
    private final class Session extends SimpleChannelInboundHandler<ResponseFrame> {
        private long lastCall;

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            ask(ctx, new Request.Hello(ProtocolLimits.VERSION, ProtocolLimits.VERSION));
            ThreadLocalRandom random = ThreadLocalRandom.current();
            ask(
                    ctx,
                    new Request.OpenSession(
                            new SessionSecret(random.nextLong(), random.nextLong()),
                            ttl.toMillis(),
                            new ClientMetadata("idle", "bench", 1)));
        }

        private void ask(ChannelHandlerContext ctx, Request request) {
            lastCall++;
            ctx.writeAndFlush(new RequestFrame(ProtocolLimits.DEFAULT_GROUP, lastCall, request));
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, ResponseFrame frame) {
            if (frame.response() instanceof Response.SessionOpened opened) {
                open.incrementAndGet();
                // Spread, as those of clients that began at different times are.
                keepAliveIn(ThreadLocalRandom.current().nextLong(everyNanos), ctx, opened);
            } else if (frame.response() instanceof Response.Refused) {
                lost.incrementAndGet();
            }
        }

        private void keepAliveIn(
                long nanos, ChannelHandlerContext ctx, Response.SessionOpened opened) {
            var unused =
                    ctx.executor()
                            .schedule(
                                    () -> {
                                        ask(
                                                ctx,
                                                new Request.KeepAlive(opened.session(), List.of()));
                                        keepAliveIn(everyNanos, ctx, opened);
                                    },
                                    nanos,
                                    TimeUnit.NANOSECONDS);
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            if (!closing) {
                lost.incrementAndGet();
            }
        }
    }
}
