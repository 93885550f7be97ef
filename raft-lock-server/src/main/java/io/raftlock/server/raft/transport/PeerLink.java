package io.raftlock.server.raft.transport;

import com.alipay.sofa.jraft.error.ConnectionFailureException;
import com.alipay.sofa.jraft.error.InvokeTimeoutException;
import com.alipay.sofa.jraft.error.RemotingException;
import com.alipay.sofa.jraft.rpc.InvokeCallback;
import com.google.protobuf.Message;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;

import org.jspecify.annotations.Nullable;

import java.nio.channels.ClosedChannelException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What this node keeps of one peer: at most one connection, made when it is needed and again when
 * it is lost. Callers that come while it is being made share the attempt. Used by any thread.
 */
final class PeerLink {
    private final Link link;
    private final EventLoop loop;
    private final Bootstrap bootstrap;
    private final Runnable onConnected;
    private final Silence silence = new Silence();
    private final SendWindow window = new SendWindow();
    private final AtomicLong lastCallId = new AtomicLong();
    private final AtomicReference<@Nullable Promise<OutboundConnection>> latest =
            new AtomicReference<>();

    /** {@code onConnected} runs on the event loop. */
    PeerLink(
            Link link,
            EventLoop loop,
            Bootstrap options,
            TransportSecurity security,
            Runnable onConnected) {
        this.link = link;
        this.loop = loop;
        this.onConnected = onConnected;
        this.bootstrap =
                options.clone(loop)
                        .handler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel channel) {
                                        prepare(channel, security);
                                    }
                                });
    }

    EventLoop loop() {
        return loop;
    }

    SendWindow window() {
        return window;
    }

    /** Whether a call made now would be written at once. */
    boolean isReady() {
        Promise<OutboundConnection> attempt = latest.get();
        return attempt != null && isUp(attempt) && window.isOpen();
    }

    void startConnecting() {
        Promise<OutboundConnection> unused = attempt();
    }

    /**
     * Waits until the peer is connected. The engine calls this with its write lock held: see the
     * package's rules. It asks nothing of the peer's process, which a connect may not wait for.
     */
    void awaitConnected(long timeoutMillis) throws InterruptedException, RemotingException {
        if (!link.isOpen()) {
            throw new ConnectionFailureException("cut off from " + link.peer());
        }
        Promise<OutboundConnection> attempt = attempt();
        if (!attempt.isDone() && loop.inEventLoop()) {
            throw new RemotingException("the event loop of " + link.peer() + " cannot await it");
        }
        if (!attempt.await(timeoutMillis)) {
            throw new InvokeTimeoutException(
                    "no connection to " + link.peer() + " in " + timeoutMillis + " ms");
        }
        if (!attempt.isSuccess()) {
            throw connectFailure(attempt);
        }
    }

    /** Never blocks; the callback is told on another thread, except of an append's answer. */
    void call(Message request, InvokeCallback callback, long timeoutMillis)
            throws RemotingException {
        Frame frame = Frame.of(lastCallId.incrementAndGet(), request);
        ByteBuf bytes = encode(frame);
        try {
            window.enter(bytes.readableBytes());
        } catch (RemotingException e) {
            bytes.release();
            throw e;
        }
        send(new OutboundCall(frame, bytes, timeoutMillis, callback, this));
    }

    private void send(OutboundCall call) {
        Promise<OutboundConnection> attempt = attempt();
        if (attempt.isSuccess()) {
            attempt.getNow().send(call);
            return;
        }
        attempt.addListener(
                (Future<OutboundConnection> done) -> {
                    if (done.isSuccess()) {
                        done.getNow().send(call);
                    } else {
                        call.dropFrame();
                        call.fail(connectFailure(done));
                    }
                });
    }

    void close() {
        Promise<OutboundConnection> attempt = latest.get();
        if (attempt != null) {
            attempt.addListener(
                    (Future<OutboundConnection> done) -> {
                        if (done.isSuccess()) {
                            done.getNow().close();
                        }
                    });
        }
    }

    /** The attempt that is under way or has led to the present connection, else a new one. */
    private Promise<OutboundConnection> attempt() {
        while (true) {
            Promise<OutboundConnection> present = latest.get();
            if (present != null && (!present.isDone() || isUp(present))) {
                return present;
            }
            Promise<OutboundConnection> next = loop.newPromise();
            if (latest.compareAndSet(present, next)) {
                connect(next);
                return next;
            }
        }
    }

    private static boolean isUp(Promise<OutboundConnection> attempt) {
        return attempt.isSuccess() && attempt.getNow().isActive();
    }

    private void connect(Promise<OutboundConnection> attempt) {
        ChannelFuture connected = bootstrap.connect(link.peer().getIp(), link.peer().getPort());
        connected.addListener(
                done -> {
                    if (!done.isSuccess()) {
                        attempt.setFailure(done.cause());
                        return;
                    }
                    OutboundConnection made =
                            connected.channel().pipeline().get(OutboundConnection.class);
                    if (made == null) {
                        // Connected and closed already: the handlers are gone.
                        attempt.setFailure(new ClosedChannelException());
                        return;
                    }
                    attempt.setSuccess(made);
                    onConnected.run();
                });
    }

    private void prepare(Channel channel, TransportSecurity security) {
        security.secureOutbound(channel.pipeline(), link.peer());
        Pipelines.addFraming(
                channel.pipeline(),
                RaftMessage.Direction.RESPONSE,
                new OutboundConnection(channel, security.wire(channel), link, silence));
    }

    private static ByteBuf encode(Frame frame) throws RemotingException {
        try {
            return frame.encode(PooledByteBufAllocator.DEFAULT);
        } catch (IllegalArgumentException e) {
            throw new RemotingException(e);
        }
    }

    private RemotingException connectFailure(Future<?> attempt) {
        Throwable cause = attempt.cause();
        return new ConnectionFailureException(
                "no connection to " + link.peer() + ": " + cause.getMessage(), cause);
    }
}
