package io.raftlock.server.raft.transport;

import com.alipay.sofa.jraft.rpc.RpcContext;
import com.alipay.sofa.jraft.rpc.RpcProcessor;

import java.util.concurrent.Executor;
import java.util.function.BiConsumer;

/** A processor made of a lambda. */
record Answering<T>(Class<T> type, Executor executor, BiConsumer<RpcContext, T> handler)
        implements RpcProcessor<T> {
    static <T> Answering<T> inline(Class<T> type, BiConsumer<RpcContext, T> handler) {
        return new Answering<>(type, Runnable::run, handler);
    }

    @Override
    public void handleRequest(RpcContext context, T request) {
        handler.accept(context, request);
    }

    @Override
    public String interest() {
        return type.getName();
    }
}
