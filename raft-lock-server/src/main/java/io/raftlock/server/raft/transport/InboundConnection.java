package io.raftlock.server.raft.transport;

import com.alipay.sofa.jraft.error.RaftError;
import com.alipay.sofa.jraft.rpc.Connection;
import com.alipay.sofa.jraft.rpc.RpcProcessor;
import com.alipay.sofa.jraft.rpc.RpcRequests.ErrorResponse;
import com.google.protobuf.Message;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.raftlock.server.wire.Sockets;
import io.raftlock.server.wire.Wire;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * One connection from a peer. Requests come in on its event loop; answers go out from any thread.
 */
final class InboundConnection extends SimpleChannelInboundHandler<Frame> implements Connection {
    private final Channel channel;
    private final Wire wire;
    private final Map<RaftMessage, RpcProcessor<Message>> processors;
    private final ConcurrentMap<String, Object> attributes = new ConcurrentHashMap<>();

    InboundConnection(
            Channel channel, Wire wire, Map<RaftMessage, RpcProcessor<Message>> processors) {
        this.channel = channel;
        this.wire = wire;
        this.processors = processors;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, Frame request) {
        InboundCall call = new InboundCall(this, request.callId());
        RpcProcessor<Message> processor = processors.get(request.type());
        if (processor == null) {
            call.sendResponse(error(RaftError.ENOENT, "nobody handles " + request.type()));
            return;
        }
        Executor executor = executorFor(request.type(), processor);
        try {
            executor.execute(() -> processor.handleRequest(call, request.body()));
        } catch (RejectedExecutionException e) {
            call.sendResponse(error(RaftError.EBUSY, "too many Raft requests"));
        }
    }

    /**
     * Append requests are handled on this thread, which saves two hand-overs for each. They take
     * the node's write lock: this loop may then stand still for as long as a connect takes, and
     * nothing that the lock's holder needs may depend on it (the package's rules).
     */
    private static Executor executorFor(RaftMessage type, RpcProcessor<Message> processor) {
        Executor given = processor.executor();
        return type == RaftMessage.APPEND_ENTRIES_REQUEST || given == null ? Runnable::run : given;
    }

    void write(Frame answer) {
        if (channel.isActive()) {
            wire.send(answer.encode(channel.alloc()), () -> {});
        }
    }

    /** A peer that does not read its answers gets no more of its requests read. */
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        channel.config().setAutoRead(channel.isWritable());
        ctx.fireChannelWritabilityChanged();
    }

    String remoteAddress() {
        return String.valueOf(channel.remoteAddress());
    }

    @Override
    public @Nullable Object getAttribute(String key) {
        return attributes.get(key);
    }

    @Override
    public void setAttribute(String key, Object value) {
        attributes.put(key, value);
    }

    @Override
    public @Nullable Object setAttributeIfAbsent(String key, Object value) {
        return attributes.putIfAbsent(key, value);
    }

    @Override
    public void close() {
        Sockets.close(channel);
    }

    private static ErrorResponse error(RaftError code, String message) {
        return ErrorResponse.newBuilder()
                .setErrorCode(code.getNumber())
                .setErrorMsg(message)
                .build();
    }
}
