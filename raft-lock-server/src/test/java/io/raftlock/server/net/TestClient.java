package io.raftlock.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.raftlock.protocol.FramePipeline;
import io.raftlock.protocol.MessageCodec;
import io.raftlock.protocol.ProtocolLimits;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.RequestFrame;
import io.raftlock.protocol.Response;
import io.raftlock.protocol.ResponseFrame;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/** The other end of a connection to the front end, in memory. */
final class TestClient {
    private final FrontEnd frontEnd;
    private final EmbeddedChannel channel;
    private final Queue<ResponseFrame> received = new ArrayDeque<>();
    private long lastCall;

    TestClient(FrontEnd frontEnd) {
        this.frontEnd = frontEnd;
        channel = new EmbeddedChannel();
        channel.freezeTime();
        FramePipeline.addServerHandlers(channel.pipeline());
        channel.pipeline().addLast(frontEnd.connection());
        // The handler comes to an open channel, where one on the network sees it open.
        channel.pipeline().fireChannelActive();
    }

    static TestClient greeted(FrontEnd frontEnd) {
        TestClient client = new TestClient(frontEnd);
        client.ask(new Request.Hello(1, 1));
        return client;
    }

    Response ask(Request request) {
        return ask(ProtocolLimits.DEFAULT_GROUP, request);
    }

    Response ask(int group, Request request) {
        long call = ++lastCall;
        send(group, call, request);
        List<ResponseFrame> pushes = new ArrayList<>();
        ResponseFrame next = received.poll();
        while (next != null && next.isPush()) {
            pushes.add(next);
            next = received.poll();
        }
        received.addAll(pushes);
        if (next == null) {
            throw new AssertionError("no answer to " + request);
        }
        if (next.callId() != call) {
            throw new AssertionError("answer to call " + next.callId() + ", not " + call);
        }
        return next.response();
    }

    void send(int group, long call, Request request) {
        ByteBuf body = Unpooled.buffer();
        MessageCodec.encode(new RequestFrame(group, call, request), body);
        sendBytes(Unpooled.buffer().writeInt(body.readableBytes()).writeBytes(body));
    }

    void sendBytes(ByteBuf bytes) {
        channel.writeInbound(bytes);
        read();
    }

    /** Takes the oldest push, or null. */
    Response push() {
        read();
        ResponseFrame next = received.poll();
        return next == null ? null : next.response();
    }

    /** Lets time pass on the connection's own clock. */
    void advance(Duration time) {
        channel.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
    }

    /** Whether the node waits for a time to come to do something about the connection. */
    boolean isTimed() {
        return channel.hasPendingTasks() || channel.runScheduledPendingTasks() >= 0;
    }

    boolean isOpen() {
        channel.runPendingTasks();
        return channel.isOpen();
    }

    void close() {
        channel.close();
        channel.runPendingTasks();
    }

    private void read() {
        frontEnd.flush();
        channel.runPendingTasks();
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            while (out.isReadable()) {
                received.add(MessageCodec.decodeResponse(out.readSlice(out.readInt())));
            }
            out.release();
        }
    }
}
