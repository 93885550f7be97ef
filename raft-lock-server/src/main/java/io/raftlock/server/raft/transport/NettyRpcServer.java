package io.raftlock.server.raft.transport;

import com.alipay.sofa.jraft.rpc.ProtobufMsgFactory;
import com.alipay.sofa.jraft.rpc.RaftRpcServerFactory;
import com.alipay.sofa.jraft.rpc.RpcProcessor;
import com.alipay.sofa.jraft.rpc.RpcServer;
import com.alipay.sofa.jraft.rpc.impl.ConnectionClosedEventListener;
import com.alipay.sofa.jraft.util.Endpoint;
import com.google.protobuf.Message;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.raftlock.server.wire.Sockets;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * The port on which a node hears its peers. Bind it before the node starts, so that a taken port is
 * an error of the start; it serves from {@link #init} on, when the node is there.
 */
public final class NettyRpcServer implements RpcServer {
    private static final Logger LOG = LoggerFactory.getLogger(NettyRpcServer.class);

    /** More than any cluster has peers; each may hold a frame of the greatest length. */
    static final int MAX_CONNECTIONS = 64;

    /** Handed out in turn, so that the few connections of a cluster do not share one. */
    private static final int LOOPS = 8;

    private static final WriteBufferWaterMark UNREAD_ANSWERS =
            new WriteBufferWaterMark(1 << 20, 4 << 20);

    private final Endpoint bind;
    private final TransportSecurity security;
    private final Map<RaftMessage, RpcProcessor<Message>> processors = new ConcurrentHashMap<>();
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final EventLoopGroup acceptor = Sockets.loops(1, "raft-accept");
    private final EventLoopGroup loops = Sockets.loops(LOOPS, "raft-in");
    private volatile @Nullable Channel listening;

    NettyRpcServer(Endpoint bind, TransportSecurity security) {
        this.bind = bind;
        this.security = security;
    }

    /** A server that handles the Raft messages, those that may block on {@code executor}. */
    public static NettyRpcServer forRaft(
            Endpoint bind,
            TransportSecurity security,
            PreVoteTies ties,
            PeerFormats formats,
            Executor executor) {
        ProtobufMsgFactory.load();
        NettyRpcServer server = new NettyRpcServer(bind, security);
        RaftRpcServerFactory.addRaftRequestProcessors(server, executor, executor, null);
        server.processors.computeIfPresent(
                RaftMessage.REQUEST_VOTE_REQUEST,
                (type, engine) -> new VoteProcessor(engine, ties));
        server.registerProcessor(new FormatProcessor(formats));
        return server;
    }

    /**
     * Takes the port: peers can connect from now on and are served from {@link #init} on. A server
     * that could not take it is of no further use.
     */
    public void bind() throws IOException {
        ChannelFuture bound =
                Sockets.server()
                        .group(acceptor, loops)
                        .option(ChannelOption.AUTO_READ, false)
                        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, UNREAD_ANSWERS)
                        .childHandler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        admit(channel);
                                    }
                                })
                        .bind(bind.getIp(), bind.getPort())
                        .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            shutdown();
            throw bindFailure(bound.cause());
        }
        listening = bound.channel();
    }

    private IOException bindFailure(Throwable cause) {
        String reason = String.valueOf(cause.getMessage());
        if (reason.contains("Address already in use")) {
            BindException taken = new BindException("port " + bind + " is in use");
            taken.initCause(cause);
            return taken;
        }
        return new IOException("cannot listen on " + bind + ": " + reason, cause);
    }

    private void admit(Channel channel) {
        if (connections.size() >= MAX_CONNECTIONS) {
            LOG.warn("Raft connection {} refused: there are {}", channel, MAX_CONNECTIONS);
            Sockets.close(channel);
            return;
        }
        connections.add(channel);
        security.secureInbound(channel.pipeline());
        Pipelines.addFraming(
                channel.pipeline(),
                RaftMessage.Direction.REQUEST,
                new InboundConnection(channel, security.wire(channel), processors));
    }

    /** The engine takes no notice of the result: bind first, and let that throw. */
    @Override
    public boolean init(@Nullable Void opts) {
        try {
            if (listening == null) {
                bind();
            }
        } catch (IOException e) {
            LOG.error("Raft server not started", e);
            return false;
        }
        Channel channel = listening;
        if (channel != null) {
            channel.config().setAutoRead(true);
        }
        return true;
    }

    /** Returns when the port is free; waits for no thread that handles a request. */
    @Override
    public void shutdown() {
        Channel channel = listening;
        if (channel != null) {
            channel.close().awaitUninterruptibly(1, TimeUnit.SECONDS);
        }
        closeConnections();
        Future<?> unused = Sockets.stop(acceptor);
        unused = Sockets.stop(loops);
    }

    int connections() {
        return connections.size();
    }

    void closeConnections() {
        connections.forEach(Sockets::close);
    }

    /**
     * Takes no note of the listener. The one that comes is the engine's append processor, which
     * cleans up after the replicator pipeline; that is off here, and the cleaning can wait 15 s for
     * a thread while all append requests wait for it.
     */
    @Override
    public void registerConnectionClosedEventListener(ConnectionClosedEventListener listener) {}

    /** Takes no note of processors for messages that are not on the wire, those of the CLI. */
    @Override
    public void registerProcessor(RpcProcessor<?> processor) {
        RaftMessage type = RaftMessage.ofClassName(processor.interest());
        if (type == null) {
            return;
        }
        if (processor.executor() == null && mayBlock(type)) {
            throw new IllegalArgumentException(type + " needs an executor");
        }
        @SuppressWarnings("unchecked") // It is given only messages of the class it is filed under.
        RpcProcessor<Message> filed = (RpcProcessor<Message>) processor;
        processors.put(type, filed);
    }

    private static boolean mayBlock(RaftMessage type) {
        return type != RaftMessage.PING_REQUEST
                && type != RaftMessage.FORMAT_REQUEST
                && type != RaftMessage.APPEND_ENTRIES_REQUEST;
    }

    @Override
    public int boundPort() {
        Channel channel = listening;
        return channel == null ? 0 : ((InetSocketAddress) channel.localAddress()).getPort();
    }

    @Override
    public boolean isStarted() {
        Channel channel = listening;
        return channel != null && channel.isActive();
    }
}
