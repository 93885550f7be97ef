package io.raftlock.server.raft.transport;

import com.alipay.sofa.jraft.rpc.Connection;
import com.alipay.sofa.jraft.rpc.RpcContext;
import com.alipay.sofa.jraft.rpc.RpcProcessor;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteResponse;
import com.google.protobuf.Message;

import java.util.concurrent.Executor;

/**
 * Hands requests for votes to the engine, and takes back the pre-votes that would make a tie. That
 * is decided when the engine has answered: this node may have begun to ask meanwhile.
 */
record VoteProcessor(RpcProcessor<Message> engine, PreVoteTies ties)
        implements RpcProcessor<Message> {

    @Override
    public void handleRequest(RpcContext context, Message message) {
        RequestVoteRequest request = (RequestVoteRequest) message;
        engine.handleRequest(
                request.getPreVote() ? new PreVote(context, request, ties) : context, request);
    }

    @Override
    public String interest() {
        return engine.interest();
    }

    @Override
    public Executor executor() {
        return engine.executor();
    }

    private record PreVote(RpcContext context, RequestVoteRequest request, PreVoteTies ties)
            implements RpcContext {
        @Override
        public void sendResponse(Object response) {
            boolean isGrant = response instanceof RequestVoteResponse vote && vote.getGranted();
            boolean isTie = isGrant && !ties.mayGrant(request);
            context.sendResponse(isTie ? denial() : response);
        }

        /** In the term that the candidate has, so that it changes nothing there. */
        private RequestVoteResponse denial() {
            return RequestVoteResponse.newBuilder()
                    .setTerm(request.getTerm() - 1)
                    .setGranted(false)
                    .build();
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
