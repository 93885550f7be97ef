package io.raftlock.chaos.client;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.raftlock.chaos.cluster.FrameConnection;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** The nodes, as sessions of the plain protocol reach them. For use by any thread. */
final class Nodes {
    private static final Duration CONNECT_BOUND = Duration.ofSeconds(1);

    private final EventLoopGroup io =
            new NioEventLoopGroup(1, new DefaultThreadFactory("plain-io", true));
    private final List<NodeAddress> addresses;

    /**
     * @throws IllegalArgumentException if an endpoint is not host:port
     */
    Nodes(List<String> endpoints) {
        addresses =
                endpoints.stream()
                        .map(
                                each ->
                                        NodeAddress.parse(each)
                                                .orElseThrow(
                                                        () -> new IllegalArgumentException(each)))
                        .toList();
    }

    NodeAddress any(Random random) {
        return addresses.get(random.nextInt(addresses.size()));
    }

    /**
     * Connects and agrees on the version.
     *
     * @throws IOException if that does not succeed within a second or so
     */
    FrameConnection connect(NodeAddress node) throws IOException {
        return FrameConnection.open(io, node.host(), node.port(), CONNECT_BOUND);
    }

    void close() {
        io.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
