package io.raftlock.server.raft.transport;

import com.alipay.sofa.jraft.rpc.RpcContext;
import com.alipay.sofa.jraft.rpc.RpcProcessor;
import com.google.protobuf.Empty;
import com.google.protobuf.Int32Value;
import com.google.protobuf.Message;

/** Says which formats this node reads. Waits for nothing. */
record FormatProcessor(PeerFormats formats) implements RpcProcessor<Message> {

    @Override
    public void handleRequest(RpcContext context, Message request) {
        context.sendResponse(Int32Value.of(formats.own()));
    }

    @Override
    public String interest() {
        return Empty.class.getName();
    }
}
