package io.raftlock.server.raft.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.alipay.sofa.jraft.error.ConnectionFailureException;
import com.alipay.sofa.jraft.error.InvokeTimeoutException;
import com.alipay.sofa.jraft.error.RemotingException;
import com.alipay.sofa.jraft.rpc.CliRequests.ResetPeerRequest;
import com.alipay.sofa.jraft.rpc.InvokeCallback;
import com.alipay.sofa.jraft.rpc.RpcContext;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.ErrorResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.GetFileRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.GetFileResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.PingRequest;
import com.alipay.sofa.jraft.util.Endpoint;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

@Timeout(30)
class NettyRpcClientTest {
    private static final Endpoint SELF = new Endpoint("127.0.0.1", 1);
    private static final PingRequest PING = PingRequest.newBuilder().setSendTimestamp(1).build();
    private static final GetFileRequest GET_FILE =
            GetFileRequest.newBuilder()
                    .setReaderId(1)
                    .setFilename("f")
                    .setCount(1)
                    .setOffset(0)
                    .build();
    private static final GetFileResponse FILE =
            GetFileResponse.newBuilder().setEof(true).setData(ByteString.EMPTY).build();
    private static final AppendEntriesRequest APPEND =
            AppendEntriesRequest.newBuilder()
                    .setGroupId("g")
                    .setServerId("a:1")
                    .setPeerId("b:2")
                    .setTerm(1)
                    .setPrevLogIndex(0)
                    .setPrevLogTerm(0)
                    .setCommittedIndex(0)
                    .build();
    private static final AppendEntriesResponse APPENDED =
            AppendEntriesResponse.newBuilder().setTerm(1).setSuccess(true).build();

    private record Outcome(Object result, Throwable failure, String thread) {}

    private final AtomicReference<LinkFaults> faults = new AtomicReference<>(LinkFaults.NONE);
    private final ExecutorService executor =
            Executors.newCachedThreadPool(task -> new Thread(task, "given"));
    private final List<NettyRpcServer> servers = new ArrayList<>();
    private final NettyRpcClient client =
            new NettyRpcClient(
                    new TransportSettings(
                            SELF,
                            List.of(),
                            new PreVoteTies("n1", System::nanoTime),
                            new PeerFormats(2),
                            TransportSecurity.PLAIN,
                            (from, to, message) -> faults.get().fateOf(from, to, message)),
                    300);

    @AfterEach
    void stop() {
        client.shutdown();
        servers.forEach(NettyRpcServer::shutdown);
        executor.shutdown();
    }

    @Test
    void anAppendIsAnsweredOnTheEventLoopAndTheRestOnTheExecutor() throws Exception {
        Endpoint peer = listen(answering());

        Outcome append = get(call(peer, APPEND, 1_000));
        Outcome file = get(call(peer, GET_FILE, 1_000));

        assertThat(append.result).isEqualTo(APPENDED);
        assertThat(append.thread).startsWith("raft-out");
        assertThat(file.result).isEqualTo(FILE);
        assertThat(file.thread).isEqualTo("given");
    }

    @Test
    void aCallFromTheEventLoopDoesNotOvertakeThoseThatOthersMadeBefore() throws Exception {
        List<Long> arrived = new CopyOnWriteArrayList<>();
        Endpoint peer =
                listen(
                        List.of(
                                Answering.inline(
                                        AppendEntriesRequest.class,
                                        (call, request) -> {
                                            arrived.add(request.getPrevLogIndex());
                                            call.sendResponse(APPENDED);
                                        })));
        CompletableFuture<Outcome> last = new CompletableFuture<>();
        CompletableFuture<Outcome> first = new CompletableFuture<>();
        CompletableFuture<Void> made =
                first.thenAccept(
                        onTheLoop -> {
                            CompletableFuture.runAsync(
                                            () ->
                                                    append(
                                                            peer,
                                                            2,
                                                            callback(
                                                                    new CompletableFuture<>(),
                                                                    executor)),
                                            executor)
                                    .join();
                            append(peer, 3, callback(last, executor));
                        });
        append(peer, 1, callback(first, executor));
        made.get(10, TimeUnit.SECONDS);
        get(last);
        assertThat(arrived).containsExactly(1L, 2L, 3L);
    }

    private void append(Endpoint peer, long previousIndex, InvokeCallback callback) {
        try {
            client.invokeAsync(
                    peer,
                    APPEND.toBuilder().setPrevLogIndex(previousIndex).build(),
                    callback,
                    5_000);
        } catch (RemotingException | InterruptedException failure) {
            throw new AssertionError(failure);
        }
    }

    @Test
    void aPeerIsConnectedToBeforeItIsNeededAndAgainWhenTheConnectionIsLost() throws Exception {
        Endpoint peer = listen(answering());
        NettyRpcClient kept =
                new NettyRpcClient(
                        new TransportSettings(
                                SELF,
                                List.of(peer),
                                new PreVoteTies("n1", System::nanoTime),
                                new PeerFormats(2),
                                TransportSecurity.PLAIN,
                                LinkFaults.NONE),
                        300);
        try {
            TestCluster.await(Duration.ofSeconds(5), () -> kept.checkConnection(peer));
            servers.get(0).shutdown();
            TestCluster.await(Duration.ofSeconds(5), () -> !kept.checkConnection(peer));
            NettyRpcServer again = new NettyRpcServer(peer, TransportSecurity.PLAIN);
            servers.add(again);
            assertThat(again.init(null)).isTrue();
            TestCluster.await(Duration.ofSeconds(5), () -> kept.checkConnection(peer));
        } finally {
            kept.shutdown();
        }
    }

    @Test
    void aCallThatIsNotAnsweredTimesOut() throws Exception {
        Endpoint peer = listen(silent());

        Outcome outcome = get(call(peer, APPEND, 50));

        assertThat(outcome.failure).isInstanceOf(InvokeTimeoutException.class);
        assertThat(outcome.thread).isEqualTo("given");
        assertThat(client.checkConnection(peer)).isTrue();
        assertNothingIsOnItsWay(peer);
    }

    /** TCP alone would go on with a connection whose packets get lost, ever more seldom. */
    @Test
    void aConnectionOnWhichNothingComesIsGivenUp() throws Exception {
        Endpoint peer = listen(silent());
        client.invokeSync(peer, PING, 1_000);
        long start = System.nanoTime();
        Duration bound = Duration.ofNanos(2 * Silence.LEAST_NANOS);

        while (client.checkConnection(peer)) {
            assertThat(System.nanoTime() - start).isLessThan(bound.toNanos());
            assertThat(get(call(peer, APPEND, 50)).failure).isNotNull();
        }

        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(Silence.LEAST_NANOS);
        assertNothingIsOnItsWay(peer);
    }

    @Test
    void oneAnswerAmongCallsThatTimeOutKeepsTheConnection() throws Exception {
        List<Answering<?>> halfSilent =
                List.of(
                        Answering.inline(AppendEntriesRequest.class, NettyRpcClientTest::ignore),
                        Answering.inline(GetFileRequest.class, (c, r) -> c.sendResponse(FILE)));
        Endpoint peer = listen(halfSilent);
        client.invokeSync(peer, PING, 1_000);
        long start = System.nanoTime();
        while (System.nanoTime() - start < Silence.LEAST_NANOS * 3 / 2) {
            assertThat(get(call(peer, APPEND, 400)).failure)
                    .isInstanceOf(InvokeTimeoutException.class);
            assertThat(get(call(peer, GET_FILE, 5_000)).result).isEqualTo(FILE);
        }
        assertThat(client.checkConnection(peer)).isTrue();
    }

    @Test
    void theCallsOfALostConnectionFailAtOnce() throws Exception {
        Endpoint peer = listen(silent());
        var append = call(peer, APPEND, 60_000);
        var file = call(peer, GET_FILE, 60_000);
        TestCluster.await(Duration.ofSeconds(5), () -> servers.get(0).connections() == 1);

        servers.get(0).closeConnections();

        for (var call : List.of(append, file)) {
            assertThat(get(call).failure).isExactlyInstanceOf(RemotingException.class);
            assertThat(get(call).thread).isEqualTo("given");
        }
        assertNothingIsOnItsWay(peer);
    }

    @Test
    void closingTheClientFailsItsCalls() throws Exception {
        Endpoint peer = listen(silent());
        client.invokeSync(peer, PING, 1_000);
        var call = call(peer, APPEND, 60_000);

        client.shutdown();

        assertThat(get(call).failure).isInstanceOf(RemotingException.class);
        assertThatThrownBy(() -> client.invokeSync(peer, PING, 1_000))
                .isInstanceOf(RemotingException.class);
        assertThat(client.checkConnection(peer, true)).isFalse();
    }

    @Test
    void aLostConnectionIsMadeAgainOnDemand() throws Exception {
        Endpoint peer = listen(answering());
        client.invokeSync(peer, PING, 1_000);
        client.closeConnection(peer);
        TestCluster.await(Duration.ofSeconds(5), () -> !client.checkConnection(peer));

        assertThat(client.invokeSync(peer, GET_FILE, 1_000)).isEqualTo(FILE);
        assertThat(client.checkConnection(peer)).isTrue();
    }

    @Test
    void checkingAConnectionCanStartIt() throws Exception {
        Endpoint peer = listen(answering());

        assertThat(client.checkConnection(peer)).isFalse();
        assertThat(client.checkConnection(peer, true)).isFalse();

        TestCluster.await(Duration.ofSeconds(5), () -> client.checkConnection(peer));
    }

    @Test
    void connectsThatComeTogetherShareOneConnection() throws Exception {
        Endpoint peer = listen(answering());
        List<CompletableFuture<Object>> pings = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            pings.add(CompletableFuture.supplyAsync(() -> ping(peer), executor));
        }
        for (CompletableFuture<Object> ping : pings) {
            assertThat(ping.get(5, TimeUnit.SECONDS)).isInstanceOf(ErrorResponse.class);
        }

        client.invokeSync(peer, GET_FILE, 1_000);
        assertThat(servers.get(0).connections()).isEqualTo(1);
    }

    @Test
    void aPeerThatIsDownIsReportedAsNotConnected() throws Exception {
        Endpoint nobody = TestCluster.freePeer().getEndpoint();

        assertThatThrownBy(() -> client.invokeSync(nobody, PING, 1_000))
                .isInstanceOf(ConnectionFailureException.class);
        assertThat(get(call(nobody, APPEND, 1_000)).failure)
                .isInstanceOf(ConnectionFailureException.class);
        assertNothingIsOnItsWay(nobody);
    }

    @Test
    void aPeerThatDoesNotAnswerSynHoldsNobodyLongerThanTheConnectTimeout() throws Exception {
        try (ServerSocket full = new ServerSocket()) {
            full.bind(new InetSocketAddress("127.0.0.1", 0), 1);
            fillBacklog(full);
            Endpoint peer = new Endpoint("127.0.0.1", full.getLocalPort());
            long start = System.nanoTime();

            assertThatThrownBy(() -> client.invokeSync(peer, PING, 300))
                    .isInstanceOf(RemotingException.class);
            assertThat(get(call(peer, APPEND, 60_000)).failure)
                    .isInstanceOf(ConnectionFailureException.class);

            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isLessThan(Duration.ofSeconds(2));
        }
    }

    @Test
    void aCallerThatBlocksAnEventLoopDoesNotStopConnects() throws Exception {
        Endpoint blocked = listen(answering());
        Endpoint other = listen(answering());
        CountDownLatch lock = new CountDownLatch(1);
        CountDownLatch waiting = new CountDownLatch(1);
        client.invokeAsync(
                blocked,
                APPEND,
                (result, failure) -> {
                    waiting.countDown();
                    awaitUninterruptibly(lock);
                },
                10_000);
        waiting.await();

        // What the engine does under its write lock, which the callback above waits for.
        assertThat(client.invokeSync(blocked, PING, 300)).isInstanceOf(ErrorResponse.class);
        assertThat(client.invokeSync(other, PING, 300)).isInstanceOf(ErrorResponse.class);
        assertThat(client.invokeSync(other, GET_FILE, 1_000)).isEqualTo(FILE);
        lock.countDown();
    }

    @Test
    void anEventLoopThatWouldWaitForItselfFailsInstead() throws Exception {
        Endpoint peer = listen(answering());
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        client.invokeAsync(
                peer,
                APPEND,
                (result, error) -> {
                    try {
                        failure.complete(
                                new AssertionError(client.invokeSync(peer, GET_FILE, 5_000)));
                    } catch (Exception e) {
                        failure.complete(e);
                    }
                },
                10_000);

        assertThat(failure.get(2, TimeUnit.SECONDS)).isInstanceOf(RemotingException.class);
    }

    @Test
    void callsOverTheBoundFailAtOnceAndFreeTheirPlaceLater() throws Exception {
        Endpoint peer = listen(silent());
        client.invokeSync(peer, PING, 1_000);
        List<CompletableFuture<Outcome>> calls = new ArrayList<>();
        for (int i = 0; i < SendWindow.MAX_CALLS; i++) {
            calls.add(call(peer, GET_FILE, 1_500));
        }

        assertThatThrownBy(() -> call(peer, GET_FILE, 1_500)).isInstanceOf(RemotingException.class);
        assertThat(client.checkConnection(peer)).isFalse();

        for (CompletableFuture<Outcome> call : calls) {
            assertThat(get(call).failure).isInstanceOf(InvokeTimeoutException.class);
        }
        assertNothingIsOnItsWay(peer);
        assertThat(client.checkConnection(peer)).isTrue();
    }

    @Test
    void bytesForAPeerThatDoesNotReadAreBounded() throws Exception {
        try (ServerSocket deaf = new ServerSocket(0, 8, InetAddress.getByName("127.0.0.1"))) {
            Endpoint peer = new Endpoint("127.0.0.1", deaf.getLocalPort());
            Message big =
                    APPEND.toBuilder().setData(ByteString.copyFrom(new byte[4 << 20])).build();
            client.invokeSync(peer, PING, 1_000);

            assertThatThrownBy(
                            () -> {
                                for (int i = 0; i < 100; i++) {
                                    call(peer, big, 10_000);
                                }
                            })
                    .isInstanceOf(RemotingException.class);

            client.closeConnection(peer);
            assertNothingIsOnItsWay(peer);
        }
    }

    @Test
    void aCallIsToldEvenIfItsExecutorRefuses() throws Exception {
        Endpoint peer = listen(answering());
        CompletableFuture<Outcome> told = new CompletableFuture<>();

        client.invokeAsync(
                peer,
                GET_FILE,
                callback(
                        told,
                        task -> {
                            throw new RejectedExecutionException("full");
                        }),
                1_000);

        assertThat(get(told).result).isEqualTo(FILE);
    }

    @Test
    void anAnswerOfAnotherTypeFailsTheCallAndTheConnection() throws Exception {
        Endpoint peer =
                listen(
                        List.of(
                                Answering.inline(
                                        GetFileRequest.class,
                                        (context, request) -> context.sendResponse(APPENDED))));

        assertThat(get(call(peer, GET_FILE, 5_000)).failure)
                .hasMessageContaining("APPEND_ENTRIES_RESPONSE");
        TestCluster.await(Duration.ofSeconds(5), () -> !client.checkConnection(peer));
    }

    @Test
    void linksCanBeCutPerDirectionAndSlowed() throws Exception {
        Endpoint peer = listen(answering());
        client.invokeSync(peer, PING, 1_000);

        faults.set((from, to, m) -> from.equals(SELF) ? lost() : LinkFaults.Fate.DELIVERED);
        assertThat(get(call(peer, GET_FILE, 50)).failure)
                .isInstanceOf(InvokeTimeoutException.class);
        assertThatThrownBy(() -> client.invokeSync(peer, PING, 1_000))
                .isInstanceOf(ConnectionFailureException.class);

        faults.set((from, to, m) -> from.equals(peer) ? lost() : LinkFaults.Fate.DELIVERED);
        assertThat(get(call(peer, GET_FILE, 50)).failure)
                .isInstanceOf(InvokeTimeoutException.class);

        faults.set((from, to, m) -> LinkFaults.Fate.delayed(Duration.ofMillis(50)));
        long start = System.nanoTime();
        assertThat(get(call(peer, GET_FILE, 5_000)).result).isEqualTo(FILE);
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isGreaterThanOrEqualTo(Duration.ofMillis(100));
        assertNothingIsOnItsWay(peer);
    }

    @Test
    void membershipRequestsCannotBeSent() {
        ResetPeerRequest reset =
                ResetPeerRequest.newBuilder()
                        .setGroupId("g")
                        .setPeerId("a:1")
                        .addNewPeers("a:1")
                        .build();

        assertThatThrownBy(() -> client.invokeSync(SELF, reset, 1_000))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static LinkFaults.Fate lost() {
        return LinkFaults.Fate.LOST;
    }

    private static List<Answering<?>> answering() {
        return List.of(
                Answering.inline(AppendEntriesRequest.class, (c, r) -> c.sendResponse(APPENDED)),
                Answering.inline(GetFileRequest.class, (c, r) -> c.sendResponse(FILE)));
    }

    private static List<Answering<?>> silent() {
        return List.of(
                Answering.inline(AppendEntriesRequest.class, NettyRpcClientTest::ignore),
                Answering.inline(GetFileRequest.class, NettyRpcClientTest::ignore));
    }

    private static void ignore(RpcContext context, Object request) {}

    private Endpoint listen(List<Answering<?>> processors) {
        NettyRpcServer server =
                new NettyRpcServer(new Endpoint("127.0.0.1", 0), TransportSecurity.PLAIN);
        processors.forEach(server::registerProcessor);
        assertThat(server.init(null)).isTrue();
        servers.add(server);
        return new Endpoint("127.0.0.1", server.boundPort());
    }

    private CompletableFuture<Outcome> call(Endpoint peer, Message request, long timeoutMillis)
            throws RemotingException, InterruptedException {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        client.invokeAsync(peer, request, callback(outcome, executor), timeoutMillis);
        return outcome;
    }

    private static InvokeCallback callback(CompletableFuture<Outcome> outcome, Executor executor) {
        return new InvokeCallback() {
            @Override
            public void complete(Object result, Throwable failure) {
                String thread = Thread.currentThread().getName();
                outcome.complete(new Outcome(result, failure, thread));
            }

            @Override
            public Executor executor() {
                return executor;
            }
        };
    }

    private static Outcome get(CompletableFuture<Outcome> outcome) throws Exception {
        return outcome.get(5, TimeUnit.SECONDS);
    }

    private Object ping(Endpoint peer) {
        try {
            return client.invokeSync(peer, PING, 1_000);
        } catch (InterruptedException | RemotingException e) {
            return e;
        }
    }

    private void assertNothingIsOnItsWay(Endpoint peer) {
        SendWindow window = client.peer(peer).window();
        TestCluster.await(Duration.ofSeconds(5), () -> window.calls() == 0 && window.bytes() == 0);
    }

    private static void fillBacklog(ServerSocket server) throws Exception {
        for (int i = 0; i < 8; i++) {
            SocketChannel channel = SocketChannel.open();
            channel.configureBlocking(false);
            channel.connect(server.getLocalSocketAddress());
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
