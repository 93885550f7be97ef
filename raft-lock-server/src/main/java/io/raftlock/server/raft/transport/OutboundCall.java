package io.raftlock.server.raft.transport;

import com.alipay.sofa.jraft.error.RemotingException;
import com.alipay.sofa.jraft.rpc.InvokeCallback;
import com.google.protobuf.Message;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * A request on its way, and whom to tell. Its frame is complete from the start, because the engine
 * recycles the bytes of a request as soon as it has been told of the outcome. Ends exactly once:
 * whoever takes it out of its connection's table ends it.
 */
final class OutboundCall {
    private static final Logger LOG = LoggerFactory.getLogger(OutboundCall.class);

    private final long id;
    private final RaftMessage type;
    private final ByteBuf frame;
    private final int frameBytes;
    private final long timeoutMillis;
    private final long dueNanos;
    private final InvokeCallback callback;
    private final EventLoop loop;
    private final SendWindow window;

    OutboundCall(
            Frame request,
            ByteBuf frame,
            long timeoutMillis,
            InvokeCallback callback,
            PeerLink peer) {
        this.id = request.callId();
        this.type = request.type();
        this.frame = frame;
        this.frameBytes = frame.readableBytes();
        this.timeoutMillis = timeoutMillis;
        this.dueNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        this.callback = callback;
        this.loop = peer.loop();
        this.window = peer.window();
    }

    long id() {
        return id;
    }

    RaftMessage type() {
        return type;
    }

    long timeoutMillis() {
        return timeoutMillis;
    }

    /** When it times out, by {@link System#nanoTime}. */
    long dueNanos() {
        return dueNanos;
    }

    /** Hands the frame over to the one that writes it. */
    ByteBuf frame() {
        return frame;
    }

    void frameWritten() {
        window.frameLeft(frameBytes);
    }

    void dropFrame() {
        frame.release();
        window.frameLeft(frameBytes);
    }

    /**
     * The answer to an append request is handled here and now: handing it to another thread costs
     * more than handling it. Everything else may block, and so may every failure: see the package's
     * rules for why those never run on the loop.
     */
    void succeed(Message answer) {
        end();
        if (type == RaftMessage.APPEND_ENTRIES_REQUEST) {
            tell(answer, null);
        } else {
            tellElsewhere(answer, null);
        }
    }

    void fail(RemotingException failure) {
        end();
        tellElsewhere(null, failure);
    }

    private void end() {
        window.callEnded();
    }

    private void tellElsewhere(@Nullable Message answer, @Nullable RemotingException failure) {
        Executor executor = callback.executor();
        try {
            (executor == null ? loop : executor).execute(() -> tell(answer, failure));
        } catch (RejectedExecutionException e) {
            tellLater(answer, failure);
        }
    }

    /**
     * The executor is full or stopped. A call that is never told ends its replicator, so the loop
     * tells it, at the price of a rule; not in this stack, whose caller may hold a replicator.
     */
    private void tellLater(@Nullable Message answer, @Nullable RemotingException failure) {
        try {
            loop.execute(() -> tell(answer, failure));
        } catch (RejectedExecutionException e) {
            LOG.debug("The client is closed, the outcome of {} {} is lost", type, id);
        }
    }

    private void tell(@Nullable Message answer, @Nullable RemotingException failure) {
        try {
            callback.complete(answer, failure);
        } catch (RuntimeException e) {
            LOG.error("The caller of {} {} failed", type, id, e);
        }
    }
}
