package io.raftlock.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.raftlock.protocol.ClientMetadata;
import io.raftlock.protocol.EndReason;
import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.LockName;
import io.raftlock.protocol.ProtocolLimits;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.Response;
import io.raftlock.protocol.SessionId;
import io.raftlock.protocol.SessionSecret;
import io.raftlock.server.lock.Command;
import io.raftlock.server.raft.Leadership;
import io.raftlock.server.raft.Verdict;
import io.raftlock.server.session.ClusterClock;
import io.raftlock.server.session.KeepAliveReply;
import io.raftlock.server.session.LeaderTime;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** What clients see of a node, with the log, the ticker and the network in memory. */
class FrontEndTest {
    private static final LockName ORDERS = new LockName("orders/42");

    private final FakeLog log = new FakeLog();
    private final ConnectedSessions sessions =
            new ConnectedSessions(new LeaderTime(System.nanoTime()));
    private final List<KeepAliveReply> keepAlives = new ArrayList<>();
    private final FrontEnd frontEnd =
            new FrontEnd(
                    new FakeFacts(),
                    log,
                    new ClusterClock(),
                    new LeaderTime(System.nanoTime()),
                    sessions,
                    (session, reply) -> keepAlives.add(reply));

    @BeforeEach
    void tellOfEffects() {
        log.tell(frontEnd::applied);
    }

    @Test
    void theFirstFrameHasToBeHello() {
        TestClient client = new TestClient(frontEnd);
        client.send(0, 1, new Request.Status());
        assertThat(client.isOpen()).isFalse();
    }

    @Test
    void aClientOfAnotherVersionIsToldWhichOneIsSpoken() {
        Response answer = new TestClient(frontEnd).ask(new Request.Hello(2, 3));
        assertThat(answer)
                .isEqualTo(
                        new Response.Refused(
                                ErrorCode.UNSUPPORTED_VERSION,
                                "this node speaks protocol version 1, the client 2 to 3"));
    }

    @Test
    void bytesThatAreNoRequestCloseTheConnection() {
        TestClient client = TestClient.greeted(frontEnd);
        client.sendBytes(Unpooled.buffer().writeInt(3).writeByte(99).writeShort(0));
        assertThat(client.isOpen()).isFalse();
    }

    @Test
    void aFrameOverTheLimitClosesTheConnection() {
        TestClient client = TestClient.greeted(frontEnd);
        client.sendBytes(Unpooled.buffer().writeInt(ProtocolLimits.MAX_FRAME_BYTES + 1));
        assertThat(client.isOpen()).isFalse();
    }

    @Test
    void anotherLockGroupIsRefused() {
        assertThat(refusal(TestClient.greeted(frontEnd).ask(7, new Request.Status())))
                .isEqualTo(ErrorCode.MALFORMED);
    }

    @Test
    void aNodeThatDoesNotLeadNamesTheLeader() {
        log.lead(new Leadership("FOLLOWER", 2, false, "n2"));
        assertThat(TestClient.greeted(frontEnd).ask(open(1, 5_000)))
                .isEqualTo(new Response.NotLeader("127.0.0.1:7402"));
    }

    @Test
    void aNodeAnswersForItsStatusWhetherItLeadsOrNot() {
        log.lead(new Leadership("FOLLOWER", 2, false, "n2"));
        assertThat(TestClient.greeted(frontEnd).ask(new Request.Status()))
                .isInstanceOf(Response.NodeStatus.class);
    }

    @Test
    void aTtlOutOfTheBoundsOfTheNodeIsRefusedBeforeItIsProposed() {
        log.answer(new Verdict.Unknown("must not be asked"));
        assertThat(refusal(TestClient.greeted(frontEnd).ask(open(1, 60_001))))
                .isEqualTo(ErrorCode.INVALID_TTL);
    }

    @Test
    void aGrantIsPushedToTheWaiterWhenTheHolderReleases() {
        TestClient a = TestClient.greeted(frontEnd);
        TestClient b = TestClient.greeted(frontEnd);
        SessionId sa = openSession(a, 1);
        SessionId sb = openSession(b, 2);
        Response.Granted first = (Response.Granted) a.ask(acquire(sa, 1, true));
        assertThat(b.ask(acquire(sb, 1, true))).isEqualTo(new Response.Queued(1));
        assertThat(a.ask(new Request.Release(sa, 2, 1, ORDERS, 1, first.grant().token())))
                .isEqualTo(new Response.Released());
        Response.Granted second = (Response.Granted) b.push();
        assertThat(second.grant().number()).isEqualTo(1);
        assertThat(second.grant().token()).isGreaterThan(first.grant().token());
        assertThat(a.push()).isNull();
    }

    @Test
    void aRequestOnAConnectionThatIsNotAttachedIsRefused() {
        SessionId session = openSession(TestClient.greeted(frontEnd), 1);
        TestClient stranger = TestClient.greeted(frontEnd);
        assertThat(refusal(stranger.ask(acquire(session, 1, true)))).isEqualTo(ErrorCode.DENIED);
        assertThat(refusal(stranger.ask(new Request.KeepAlive(session, List.of()))))
                .isEqualTo(ErrorCode.DENIED);
    }

    @Test
    void attachNeedsTheSecretOfTheSession() {
        SessionId session = openSession(TestClient.greeted(frontEnd), 1);
        TestClient other = TestClient.greeted(frontEnd);
        assertThat(refusal(other.ask(new Request.Attach(session, new SessionSecret(9, 9)))))
                .isEqualTo(ErrorCode.DENIED);
        assertThat(other.ask(new Request.Attach(session, secret(1))))
                .isEqualTo(new Response.Attached(session));
        assertThat(other.ask(acquire(session, 1, true))).isInstanceOf(Response.Granted.class);
    }

    @Test
    void aSessionThatThisNodeDoesNotKnowIsCalledGoneByAMajorityOnly() {
        TestClient client = TestClient.greeted(frontEnd);
        client.send(0, 77, new Request.Attach(new SessionId(4711), secret(1)));
        assertThat(client.push()).isNull();
        keepAlives.get(0).unconfirmed();
        assertThat(client.push()).isEqualTo(new Response.NotLeader(""));
        client.send(0, 78, new Request.Attach(new SessionId(4711), secret(1)));
        keepAlives.get(1).expired();
        assertThat(refusal(client.push())).isEqualTo(ErrorCode.SESSION_EXPIRED);
    }

    @Test
    void aKeepAliveTellsWhatBecameOfTheAcquiresItAsksAfter() {
        TestClient a = TestClient.greeted(frontEnd);
        SessionId sa = openSession(a, 1);
        TestClient b = TestClient.greeted(frontEnd);
        SessionId sb = openSession(b, 2);
        Response.Granted held = (Response.Granted) a.ask(acquire(sa, 1, true));
        b.ask(acquire(sb, 1, true));
        a.send(0, 50, new Request.KeepAlive(sa, List.of(1L, 2L)));
        b.send(0, 50, new Request.KeepAlive(sb, List.of(1L)));
        keepAlives.forEach(KeepAliveReply::alive);
        Response.KeptAlive keptA = (Response.KeptAlive) a.push();
        assertThat(keptA.grants()).containsExactly(held.grant());
        assertThat(keptA.gone()).containsExactly(2L);
        Response.KeptAlive keptB = (Response.KeptAlive) b.push();
        assertThat(keptB.grants()).isEmpty();
        assertThat(keptB.gone()).isEmpty();
    }

    @Test
    void aSessionThatEndsIsToldAndForgotten() {
        TestClient client = TestClient.greeted(frontEnd);
        SessionId session = openSession(client, 1);
        assertThat(sessions.lastHeardNanos(session)).isPresent();
        log.apply(new Command.ExpireSession(session, session.value()));
        assertThat(client.push())
                .isEqualTo(new Response.SessionEnded(session, EndReason.SESSION_EXPIRED));
        assertThat(sessions.lastHeardNanos(session)).isEmpty();
    }

    @Test
    void whoLeadsNoMoreSendsItsClientsAway() {
        TestClient client = TestClient.greeted(frontEnd);
        SessionId session = openSession(client, 1);
        log.lead(new Leadership("FOLLOWER", 2, false, "n2"));
        frontEnd.leaderStopped();
        assertThat(client.push()).isEqualTo(new Response.NotLeader("127.0.0.1:7402"));
        assertThat(sessions.lastHeardNanos(session)).isEmpty();
        log.lead(new Leadership("LEADER", 3, true, "n1"));
        assertThat(refusal(client.ask(acquire(session, 1, true)))).isEqualTo(ErrorCode.DENIED);
    }

    @Test
    void whoWaitsHereForALeaderIsToldAsSoonAsOneIsHeardOf() {
        log.lead(new Leadership("FOLLOWER", 2, false, ""));
        TestClient client = TestClient.greeted(frontEnd);
        assertThat(client.ask(open(1, 5_000))).isEqualTo(new Response.NotLeader(""));
        log.lead(new Leadership("FOLLOWER", 3, false, "n2"));
        frontEnd.leaderHeard();
        assertThat(client.push()).isEqualTo(new Response.NotLeader("127.0.0.1:7402"));
        log.lead(new Leadership("LEADER", 4, true, "n1"));
        frontEnd.leaderHeard();
        assertThat(client.push()).isEqualTo(new Response.NotLeader("127.0.0.1:7401"));
        assertThat(client.ask(open(1, 5_000))).isInstanceOf(Response.SessionOpened.class);
    }

    @Test
    void eachVerdictHasItsAnswer() {
        TestClient client = TestClient.greeted(frontEnd);
        SessionId session = openSession(client, 1);
        log.answer(new Verdict.Unknown("lost sight of it"));
        assertThat(client.ask(acquire(session, 1, true)))
                .isEqualTo(new Response.Unknown("lost sight of it"));
        log.answer(new Verdict.NotLeader());
        assertThat(client.ask(acquire(session, 1, true))).isEqualTo(new Response.NotLeader(""));
        log.answer(new Verdict.Busy());
        assertThat(refusal(client.ask(acquire(session, 1, true)))).isEqualTo(ErrorCode.BUSY);
        log.answer(null);
        assertThat(client.ask(acquire(session, 1, true))).isInstanceOf(Response.Granted.class);
        assertThat(client.ask(new Request.CancelAcquire(session, 2, 1, 1)))
                .isEqualTo(new Response.Cancelled());
        assertThat(client.ask(new Request.CloseSession(session, secret(1))))
                .isEqualTo(new Response.SessionClosed());
    }

    @Test
    void requestsWithoutAnswerAreBounded() {
        TestClient client = TestClient.greeted(frontEnd);
        SessionId session = openSession(client, 1);
        for (int call = 0; call < ProtocolLimits.MAX_UNANSWERED_REQUESTS; call++) {
            client.send(0, 100 + call, new Request.KeepAlive(session, List.of()));
        }
        assertThat(client.push()).isNull();
        client.send(0, 1, new Request.KeepAlive(session, List.of()));
        assertThat(refusal(client.push())).isEqualTo(ErrorCode.BUSY);
        keepAlives.forEach(KeepAliveReply::alive);
        assertThat(client.push()).isInstanceOf(Response.KeptAlive.class);
    }

    @Test
    void aConnectionThatBreaksLeavesWhenTheSessionWasHeard() {
        TestClient client = TestClient.greeted(frontEnd);
        SessionId session = openSession(client, 1);
        client.close();
        assertThat(sessions.lastHeardNanos(session)).isPresent();
        log.apply(new Command.ExpireSession(session, session.value()));
        assertThat(sessions.lastHeardNanos(session)).isEmpty();
    }

    private static SessionId openSession(TestClient client, long secret) {
        return ((Response.SessionOpened) client.ask(open(secret, 5_000))).session();
    }

    private static Request open(long secret, long ttlMillis) {
        return new Request.OpenSession(
                secret(secret), ttlMillis, new ClientMetadata("test", "localhost", 1));
    }

    private static SessionSecret secret(long low) {
        return new SessionSecret(0, low);
    }

    private static Request acquire(SessionId session, long number, boolean queue) {
        return new Request.Acquire(session, number, number - 1, ORDERS, 1, queue, 0, "");
    }

    private static ErrorCode refusal(Response response) {
        return ((Response.Refused) response).code();
    }
}
