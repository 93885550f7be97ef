package io.raftlock.server.raft.transport;

import com.alipay.sofa.jraft.rpc.Connection;
import com.alipay.sofa.jraft.rpc.RpcContext;
import com.alipay.sofa.jraft.rpc.RpcProcessor;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteResponse;
import com.google.protobuf.Message;

import java.util.concurrent.Executor;

/** Hands requests for votes to the engine, but for pre-votes of nodes that have to come second. */
record VoteProcessor(RpcProcessor<Message> engine, PreVoteTies ties)
        implements RpcProcessor<Message> {

    @Override
    public void handleRequest(RpcContext context, Message message) {
        RequestVoteRequest request = (RequestVoteRequest) message;
        if (ties.goesBefore(request)) {
            context.sendResponse(denial(request));
        } else if (request.getPreVote()) {
            engine.handleRequest(new PreVote(context, ties), request);
        } else {
            engine.handleRequest(context, request);
        }
    }

    /** In the term that the candidate has, so that it changes nothing there. */
    private static RequestVoteResponse denial(RequestVoteRequest request) {
        return RequestVoteResponse.newBuilder()
                .setTerm(request.getTerm() - 1)
                .setGranted(false)
                .build();
    }

    @Override
    public String interest() {
        return engine.interest();
    }

    @Override
    public Executor executor() {
        return engine.executor();
    }

    private record PreVote(RpcContext context, PreVoteTies ties) implements RpcContext {
        @Override
        public void sendResponse(Object response) {
            if (response instanceof RequestVoteResponse vote && vote.getGranted()) {
                ties.granted();
            }
            context.sendResponse(response);
        }

        @Override
        public Connection getConnection() {
            return context.getConnection();
        }

        @Override
        public String getRemoteAddress() {
            return context.getRemoteAddress();
        }
    }
}
