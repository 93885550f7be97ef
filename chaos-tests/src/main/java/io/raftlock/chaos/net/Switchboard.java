package io.raftlock.chaos.net;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Passes on all connections of a network of loopback addresses. The event loop owns what is here;
 * the methods post to it and wait.
 */
final class Switchboard {
    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final int BACKLOG = 128;

    /** Fixed, so that a sender soon notices that nobody takes in what it sends. */
    private static final int RECEIVE_BYTES = 256 << 10;

    private final EventLoopGroup loop =
            new NioEventLoopGroup(1, new DefaultThreadFactory("loopback-network", true));
    private final Bootstrap dialler =
            new Bootstrap()
                    .group(loop)
                    .channel(NioSocketChannel.class)
                    .option(ChannelOption.AUTO_READ, false)
                    .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
                    .option(ChannelOption.TCP_NODELAY, true)
                    .option(ChannelOption.SO_RCVBUF, RECEIVE_BYTES)
                    .handler(new Bystander());
    private final Map<Link, Line> lines = new HashMap<>();
    private final Set<Conversation> conversations = new LinkedHashSet<>();
    private final AtomicLong hits = new AtomicLong();

    /**
     * Listens for each host at the addresses under which it knows the nodes.
     *
     * @throws IOException if one is taken; what listens then ends with {@link #close}
     */
    void listen(LoopbackPlan plan, List<Integer> ports) throws IOException {
        for (String caller : plan.names()) {
            for (String node : plan.nodes()) {
                if (!caller.equals(node)) {
                    for (int port : ports) {
                        listen(plan, caller, node, port);
                    }
                }
            }
        }
    }

    private void listen(LoopbackPlan plan, String caller, String node, int port)
            throws IOException {
        SocketAddress target = new InetSocketAddress(plan.address(node), port);
        ServerBootstrap door =
                new ServerBootstrap()
                        .group(loop)
                        .channel(NioServerSocketChannel.class)
                        .option(ChannelOption.SO_BACKLOG, BACKLOG)
                        .option(ChannelOption.SO_RCVBUF, RECEIVE_BYTES)
                        .childOption(ChannelOption.AUTO_READ, false)
                        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childHandler(
                                new ChannelInitializer<SocketChannel>() {
                                    @Override
                                    protected void initChannel(SocketChannel accepted) {
                                        begin(caller, node, target, accepted);
                                    }
                                });
        ChannelFuture bound = door.bind(plan.door(caller, node), port);
        if (!bound.awaitUninterruptibly(BOUND.toMillis()) || !bound.isSuccess()) {
            throw new IOException(
                    "cannot listen on %s:%d".formatted(plan.door(caller, node), port),
                    bound.cause());
        }
    }

    void cut(Set<Link> links) {
        call(
                () -> {
                    links.forEach(this::line);
                    lines.forEach((link, line) -> line.cut(links.contains(link)));
                    return tellAll();
                });
    }

    void shape(Map<Link, Shape> shapes) {
        call(
                () -> {
                    shapes.keySet().forEach(this::line);
                    lines.forEach(
                            (link, line) -> line.shape(shapes.getOrDefault(link, Shape.PLAIN)));
                    return tellAll();
                });
    }

    /** Breaks all connections between the two sides, and returns how many. */
    int reset(Set<String> side, Set<String> other) {
        return call(
                () -> {
                    List<Conversation> between =
                            conversations.stream()
                                    .filter(each -> each.isBetween(side, other))
                                    .toList();
                    between.forEach(Conversation::reset);
                    hits.addAndGet(between.size());
                    return between.size();
                });
    }

    long hits() {
        return hits.get();
    }

    /** Ends all connections and the event loop. */
    void close() {
        Future<?> ended = loop.shutdownGracefully(0, BOUND.toMillis(), TimeUnit.MILLISECONDS);
        ended.awaitUninterruptibly(BOUND.toMillis());
    }

    // -- event loop

    private void begin(String caller, String node, SocketAddress target, SocketChannel accepted) {
        Conversation.Ends ends =
                new Conversation.Ends(
                        caller,
                        node,
                        target,
                        line(new Link(caller, node)),
                        line(new Link(node, caller)));
        Conversation fresh = new Conversation(ends, accepted, conversations::remove);
        conversations.add(fresh);
        fresh.begin(dialler);
    }

    private Line line(Link link) {
        return lines.computeIfAbsent(link, none -> new Line(hits));
    }

    private int tellAll() {
        List<Conversation> all = List.copyOf(conversations);
        all.forEach(each -> each.linesChanged(dialler));
        return all.size();
    }

    private <T> T call(Callable<T> task) {
        Future<T> done = loop.submit(task);
        if (!done.awaitUninterruptibly(BOUND.toMillis())) {
            throw new IllegalStateException("the network's thread does not answer");
        }
        if (!done.isSuccess()) {
            throw new IllegalStateException("the network is broken", done.cause());
        }
        return done.getNow();
    }

    /** Stands in a pipeline to which more is added when it is known what for. */
    @ChannelHandler.Sharable
    private static final class Bystander extends ChannelHandlerAdapter {}
}
