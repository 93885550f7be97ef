package io.raftlock.server.raft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.rpc.Connection;
import com.alipay.sofa.jraft.rpc.RpcContext;
import com.alipay.sofa.jraft.rpc.RpcProcessor;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteResponse;
import com.google.protobuf.Message;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Three nodes whose engines grant every vote that reaches them. */
class PreVoteTiesTest {
    private long nowNanos = Long.MAX_VALUE - 5;
    private final PreVoteTies n1 = new PreVoteTies("127.0.0.1:1", () -> nowNanos);
    private final PreVoteTies n2 = new PreVoteTies("127.0.0.1:2", () -> nowNanos);

    @Test
    void ofTwoThatAskAtOnceTheFirstByAddressIsGranted() {
        assertThat(n1.mayAsk(preVoteOf("127.0.0.1:1"))).isTrue();
        assertThat(n2.mayAsk(preVoteOf("127.0.0.1:2"))).isTrue();
        assertThat(answer(n1, preVoteOf("127.0.0.1:2"))).isFalse();
        assertThat(answer(n2, preVoteOf("127.0.0.1:1"))).isTrue();
    }

    @Test
    void whoHasMoreInItsLogIsGrantedWhateverItsAddress() {
        RequestVoteRequest longer = preVoteOf("127.0.0.1:2").toBuilder().setLastLogIndex(2).build();
        RequestVoteRequest newer =
                preVoteOf("127.0.0.1:2").toBuilder().setLastLogTerm(2).setLastLogIndex(1).build();
        assertThat(n1.mayAsk(preVoteOf("127.0.0.1:1"))).isTrue();
        assertThat(answer(n1, preVoteOf("127.0.0.1:2"))).as("a tie").isFalse();
        assertThat(answer(n1, longer)).isTrue();
        nowNanos += TimeUnit.MILLISECONDS.toNanos(201);
        assertThat(n1.mayAsk(preVoteOf("127.0.0.1:1"))).isTrue();
        assertThat(answer(n1, newer)).isTrue();
    }

    @Test
    void whoHasGrantedAPreVoteDoesNotAskForOneJustAfter() {
        assertThat(answer(n1, preVoteOf("127.0.0.1:2"))).isTrue();
        assertThat(n1.mayAsk(preVoteOf("127.0.0.1:1"))).isFalse();
        nowNanos += TimeUnit.MILLISECONDS.toNanos(201);
        assertThat(n1.mayAsk(preVoteOf("127.0.0.1:1"))).isTrue();
    }

    @Test
    void aTieThatBeginsWhileTheEngineThinksIsBrokenToo() {
        List<Object> answers = new ArrayList<>();
        RpcProcessor<Message> slow =
                new Granting() {
                    @Override
                    public void handleRequest(RpcContext context, Message request) {
                        n1.mayAsk(preVoteOf("127.0.0.1:1"));
                        super.handleRequest(context, request);
                    }
                };
        new VoteProcessor(slow, n1).handleRequest(new Caller(answers), preVoteOf("127.0.0.1:2"));
        assertThat(((RequestVoteResponse) answers.get(0)).getGranted()).isFalse();
    }

    @Test
    void anOlderQuestionDeniesNobody() {
        assertThat(n1.mayAsk(preVoteOf("127.0.0.1:1"))).isTrue();
        nowNanos += TimeUnit.MILLISECONDS.toNanos(201);
        assertThat(answer(n1, preVoteOf("127.0.0.1:2"))).isTrue();
    }

    @Test
    void votesThatBindAreLeftToTheEngine() {
        assertThat(n1.mayAsk(preVoteOf("127.0.0.1:1"))).isTrue();
        RequestVoteRequest vote = preVoteOf("127.0.0.1:2").toBuilder().setPreVote(false).build();
        assertThat(answer(n1, vote)).isTrue();
        assertThat(n1.mayAsk(preVoteOf("127.0.0.1:1"))).isTrue();
    }

    @Test
    void aDenialCarriesTheTermThatTheCandidateHas() {
        n1.mayAsk(preVoteOf("127.0.0.1:1"));
        List<Object> answers = new ArrayList<>();
        new VoteProcessor(new Granting(), n1)
                .handleRequest(new Caller(answers), preVoteOf("127.0.0.1:2"));
        assertThat(((RequestVoteResponse) answers.get(0)).getTerm()).isEqualTo(6);
    }

    private static boolean answer(PreVoteTies at, RequestVoteRequest request) {
        List<Object> answers = new ArrayList<>();
        new VoteProcessor(new Granting(), at).handleRequest(new Caller(answers), request);
        return ((RequestVoteResponse) answers.get(0)).getGranted();
    }

    private static RequestVoteRequest preVoteOf(String candidate) {
        return RequestVoteRequest.newBuilder()
                .setGroupId("g")
                .setServerId(candidate)
                .setPeerId("any")
                .setTerm(7)
                .setLastLogTerm(1)
                .setLastLogIndex(1)
                .setPreVote(true)
                .build();
    }

    private static class Granting implements RpcProcessor<Message> {
        @Override
        public void handleRequest(RpcContext context, Message request) {
            context.sendResponse(
                    RequestVoteResponse.newBuilder().setTerm(7).setGranted(true).build());
        }

        @Override
        public String interest() {
            return RequestVoteRequest.class.getName();
        }
    }

    private record Caller(List<Object> answers) implements RpcContext {
        @Override
        public void sendResponse(Object response) {
            answers.add(response);
        }

        @Override
        public Connection getConnection() {
            return null;
        }

        @Override
        public String getRemoteAddress() {
            return "";
        }
    }
}
