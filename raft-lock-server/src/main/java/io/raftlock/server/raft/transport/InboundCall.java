package io.raftlock.server.raft.transport;

import com.alipay.sofa.jraft.rpc.Connection;
import com.alipay.sofa.jraft.rpc.RpcContext;
import com.google.protobuf.Message;

/** A request that awaits its answer, which any thread may give. */
record InboundCall(InboundConnection connection, long callId) implements RpcContext {
    @Override
    public void sendResponse(Object response) {
        connection.write(Frame.of(callId, (Message) response));
    }

    @Override
    public Connection getConnection() {
        return connection;
    }

    @Override
    public String getRemoteAddress() {
        return connection.remoteAddress();
    }
}
