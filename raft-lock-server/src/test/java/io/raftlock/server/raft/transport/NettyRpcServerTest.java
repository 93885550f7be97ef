package io.raftlock.server.raft.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.alipay.sofa.jraft.error.RaftError;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.ErrorResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.GetFileRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.PingRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteRequest;
import com.alipay.sofa.jraft.rpc.impl.PingRequestProcessor;
import com.alipay.sofa.jraft.util.Endpoint;
import com.google.protobuf.Message;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.raftlock.server.wire.Wire;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

@Timeout(30)
class NettyRpcServerTest {
    private static final Message PING = PingRequest.newBuilder().setSendTimestamp(1).build();

    private final NettyRpcServer server =
            new NettyRpcServer(new Endpoint("127.0.0.1", 0), TransportSecurity.PLAIN);

    @BeforeEach
    void start() {
        server.registerProcessor(new PingRequestProcessor(null));
        assertThat(server.init(null)).isTrue();
    }

    @AfterEach
    void stop() {
        server.shutdown();
    }

    @Test
    void aTakenPortIsNamed() {
        Endpoint taken = new Endpoint("127.0.0.1", server.boundPort());
        NettyRpcServer second = new NettyRpcServer(taken, TransportSecurity.PLAIN);

        assertThatThrownBy(second::bind)
                .isInstanceOf(BindException.class)
                .hasMessage("port 127.0.0.1:" + server.boundPort() + " is in use");
        assertThat(second.isStarted()).isFalse();
        assertThat(new NettyRpcServer(taken, TransportSecurity.PLAIN).init(null)).isFalse();
    }

    @Test
    void anAddressOfAnotherMachineIsNamed() {
        NettyRpcServer elsewhere =
                new NettyRpcServer(new Endpoint("192.0.2.1", 7_101), TransportSecurity.PLAIN);

        assertThatThrownBy(elsewhere::bind)
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("cannot listen on 192.0.2.1:7101");
    }

    @Test
    void listensOnItsAddressOnly() {
        assertThatThrownBy(() -> new Socket("127.0.0.2", server.boundPort()).close())
                .isInstanceOf(IOException.class);
    }

    @Test
    void thePortIsFreeAfterShutdown() throws Exception {
        try (Socket peer = connect(server)) {
            assertThat(peer.isConnected()).isTrue();
            int port = server.boundPort();
            server.shutdown();

            NettyRpcServer next =
                    new NettyRpcServer(new Endpoint("127.0.0.1", port), TransportSecurity.PLAIN);
            next.bind();
            next.shutdown();
        }
    }

    @Test
    void nobodyIsServedBeforeTheNodeIsThere() throws Exception {
        NettyRpcServer early =
                new NettyRpcServer(new Endpoint("127.0.0.1", 0), TransportSecurity.PLAIN);
        early.registerProcessor(new PingRequestProcessor(null));
        early.bind();
        try (Socket socket = connect(early)) {
            send(socket, PING);
            socket.setSoTimeout(100);
            assertThatThrownBy(() -> socket.getInputStream().read())
                    .isInstanceOf(SocketTimeoutException.class);

            early.init(null);

            socket.setSoTimeout(5_000);
            assertThat(receive(socket).body()).isInstanceOf(ErrorResponse.class);
        } finally {
            early.shutdown();
        }
    }

    @Test
    void answersAPing() throws Exception {
        try (Socket socket = connect(server)) {
            send(socket, PING);

            ErrorResponse answer = (ErrorResponse) receive(socket).body();
            assertThat(answer.getErrorCode()).isZero();
        }
    }

    @Test
    void appendsAreHandledOnTheEventLoop() throws Exception {
        CompletableFuture<String> thread = new CompletableFuture<>();
        server.registerProcessor(
                new Answering<>(
                        AppendEntriesRequest.class,
                        task -> {
                            throw new AssertionError("handed on");
                        },
                        (c, r) -> thread.complete(Thread.currentThread().getName())));
        try (Socket socket = connect(server)) {
            send(socket, FrameTest.oneOfEachType().get(0));

            assertThat(thread.get(5, TimeUnit.SECONDS)).startsWith("raft-in");
        }
    }

    @Test
    void aRequestThatTheExecutorRefusesIsAnsweredBusy() throws Exception {
        server.registerProcessor(
                new Answering<>(
                        GetFileRequest.class,
                        task -> {
                            throw new RejectedExecutionException("full");
                        },
                        (c, r) -> {}));
        try (Socket socket = connect(server)) {
            send(socket, FrameTest.oneOfEachType().get(4));

            ErrorResponse answer = (ErrorResponse) receive(socket).body();
            assertThat(answer.getErrorCode()).isEqualTo(RaftError.EBUSY.getNumber());
        }
    }

    @Test
    void aRequestThatNobodyHandlesIsAnsweredSo() throws Exception {
        try (Socket socket = connect(server)) {
            send(socket, FrameTest.oneOfEachType().get(2));

            ErrorResponse answer = (ErrorResponse) receive(socket).body();
            assertThat(answer.getErrorCode()).isEqualTo(RaftError.ENOENT.getNumber());
        }
    }

    @Test
    void aRequestThatMayBlockNeedsAnExecutor() {
        Answering<RequestVoteRequest> vote =
                new Answering<>(RequestVoteRequest.class, null, (c, r) -> {});

        assertThatThrownBy(() -> server.registerProcessor(vote))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatIsNotAFrameClosesTheConnection() throws Exception {
        for (String text : List.of("GET / HTTP/1.1\r\n\r\n", "\2\0\1\0\0\0\0\0\0\0\0\0")) {
            try (Socket socket = connect(server)) {
                socket.getOutputStream().write(text.getBytes());

                assertClosed(socket);
            }
        }
    }

    @Test
    void connectionsAreBounded() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < NettyRpcServer.MAX_CONNECTIONS; i++) {
                sockets.add(connect(server));
            }
            TestCluster.await(
                    Duration.ofSeconds(5),
                    () -> server.connections() == NettyRpcServer.MAX_CONNECTIONS);
            Socket last = connect(server);
            sockets.add(last);

            assertClosed(last);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void aPeerThatDoesNotReadIsNotReadFrom() {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.pipeline().addLast(new InboundConnection(channel, Wire.past(channel), Map.of()));

        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
        channel.runPendingTasks();
        assertThat(channel.config().isAutoRead()).isFalse();

        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, true);
        channel.runPendingTasks();
        assertThat(channel.config().isAutoRead()).isTrue();
    }

    static Socket connect(NettyRpcServer server) throws IOException {
        Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), server.boundPort());
        socket.setSoTimeout(5_000);
        return socket;
    }

    static void assertClosed(Socket socket) {
        try {
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the connection is still open", e);
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("reset"); // unread bytes make a close a reset
        }
    }

    private static void send(Socket socket, Message body) throws IOException {
        ByteBuf frame = Frame.of(1, body).encode(UnpooledByteBufAllocator.DEFAULT);
        socket.getOutputStream().write(ByteBufUtil.getBytes(frame));
        frame.release();
    }

    private static Frame receive(Socket socket) throws Exception {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        return Frame.decode(Unpooled.wrappedBuffer(in.readNBytes(in.readInt())));
    }
}
