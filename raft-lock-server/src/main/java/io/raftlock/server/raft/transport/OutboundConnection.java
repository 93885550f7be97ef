package io.raftlock.server.raft.transport;

import com.alipay.sofa.jraft.error.InvokeTimeoutException;
import com.alipay.sofa.jraft.error.RemotingException;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.util.collection.LongObjectHashMap;
import io.netty.util.concurrent.ScheduledFuture;
import io.raftlock.server.wire.Sockets;
import io.raftlock.server.wire.Wire;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * One connection to a peer and the calls that await answers on it. Calls are made and written by
 * any thread, one at a time in the table and on the wire; answers are read on the event loop.
 *
 * <p>Every call leaves the table by its answer, its timeout or the end of the connection, whichever
 * comes first.
 */
final class OutboundConnection extends SimpleChannelInboundHandler<Frame> {
    private final Channel channel;
    private final Wire wire;
    private final Link link;
    private final Silence silence;

    // Guarded by this. Nothing is written or told meanwhile.
    private final LongObjectHashMap<OutboundCall> awaiting = new LongObjectHashMap<>();
    private boolean isOver;
    private boolean isWatched;
    private long watchedNanos;

    OutboundConnection(Channel channel, Wire wire, Link link, Silence silence) {
        this.channel = channel;
        this.wire = wire;
        this.link = link;
        this.silence = silence;
    }

    // -- any thread

    boolean isActive() {
        return channel.isActive();
    }

    void close() {
        Sockets.close(channel);
    }

    void send(OutboundCall call) {
        try {
            if (!await(call)) {
                refuse(call, "the connection to " + link.peer() + " is closed");
                return;
            }
        } catch (RejectedExecutionException e) {
            refuse(call, "the client is closed");
            return;
        }
        silence.asked(System.nanoTime());
        LinkFaults.Fate fate = link.there(call.type());
        if (fate.lost()) {
            call.dropFrame();
        } else {
            after(fate.delay(), () -> wire.send(call.frame(), call::frameWritten));
        }
    }

    private static void refuse(OutboundCall call, String reason) {
        call.dropFrame();
        call.fail(new RemotingException(reason));
    }

    private synchronized boolean await(OutboundCall call) {
        if (isOver) {
            return false;
        }
        watch(call.dueNanos());
        awaiting.put(call.id(), call);
        return true;
    }

    /** One timer for all calls: nearly all have their answers long before it is due. */
    private void watch(long dueNanos) {
        if (!isWatched || dueNanos - watchedNanos < 0) {
            ScheduledFuture<?> unused =
                    channel.eventLoop()
                            .schedule(
                                    () -> endLate(dueNanos),
                                    dueNanos - System.nanoTime(),
                                    TimeUnit.NANOSECONDS);
            isWatched = true;
            watchedNanos = dueNanos;
        }
    }

    private synchronized @Nullable OutboundCall take(long callId) {
        return awaiting.remove(callId);
    }

    // -- on the event loop

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, Frame answer) {
        LinkFaults.Fate fate = link.back(answer.type());
        if (!fate.lost()) {
            silence.heard();
            after(fate.delay(), () -> settle(answer));
        }
    }

    private void settle(Frame answer) {
        OutboundCall call = take(answer.callId());
        if (call == null) {
            return; // It has timed out.
        }
        if (answer.type().answers(call.type())) {
            call.succeed(answer.body());
        } else {
            call.fail(new RemotingException(answer.type() + " came for a " + call.type()));
            Sockets.close(channel);
        }
    }

    private void endLate(long dueNanos) {
        long now = System.nanoTime();
        for (OutboundCall call : takeLate(dueNanos, now)) {
            call.fail(
                    new InvokeTimeoutException(
                            "%s to %s had no answer in %d ms"
                                    .formatted(call.type(), link.peer(), call.timeoutMillis())));
        }
        if (silence.isTooLong(now)) {
            Sockets.close(channel);
        }
    }

    private synchronized List<OutboundCall> takeLate(long dueNanos, long nowNanos) {
        if (dueNanos != watchedNanos) {
            return List.of(); // An earlier one has taken its place.
        }
        isWatched = false;
        List<OutboundCall> late =
                awaiting.values().stream().filter(call -> call.dueNanos() - nowNanos <= 0).toList();
        late.forEach(call -> awaiting.remove(call.id()));
        awaiting.values().stream()
                .mapToLong(OutboundCall::dueNanos)
                .reduce((one, other) -> one - other < 0 ? one : other)
                .ifPresent(this::watch);
        return late;
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        for (OutboundCall call : takeAll()) {
            call.fail(new RemotingException("the connection to " + link.peer() + " was lost"));
        }
        ctx.fireChannelInactive();
    }

    private synchronized List<OutboundCall> takeAll() {
        isOver = true;
        List<OutboundCall> all = List.copyOf(awaiting.values());
        awaiting.clear();
        return all;
    }

    private void after(Duration delay, Runnable step) {
        if (delay.isZero()) {
            step.run();
        } else {
            ScheduledFuture<?> unused =
                    channel.eventLoop().schedule(step, delay.toMillis(), TimeUnit.MILLISECONDS);
        }
    }
}
