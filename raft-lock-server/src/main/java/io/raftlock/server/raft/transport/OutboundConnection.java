package io.raftlock.server.raft.transport;

import com.alipay.sofa.jraft.error.InvokeTimeoutException;
import com.alipay.sofa.jraft.error.RemotingException;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.util.collection.LongObjectHashMap;
import io.netty.util.concurrent.ScheduledFuture;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * One connection to a peer and the calls that await answers on it. Owned by the channel's event
 * loop; other threads only post to it.
 *
 * <p>Every call leaves the table by its answer, its timeout or the end of the connection, whichever
 * comes first.
 */
final class OutboundConnection extends SimpleChannelInboundHandler<Frame> {
    private final Channel channel;
    private final Link link;
    private final LongObjectHashMap<OutboundCall> awaiting = new LongObjectHashMap<>();

    OutboundConnection(Channel channel, Link link) {
        this.channel = channel;
        this.link = link;
    }

    boolean isActive() { // any thread
        return channel.isActive();
    }

    void close() { // any thread
        Sockets.close(channel);
    }

    void send(OutboundCall call) { // any thread
        // Posted even from the loop itself: a call must not overtake those that others have posted.
        // A follower refuses an append that comes before its predecessor, and both go again.
        try {
            channel.eventLoop().execute(() -> start(call));
        } catch (RejectedExecutionException e) {
            refuse(call, "the client is closed");
        }
    }

    private void start(OutboundCall call) {
        if (!channel.isActive()) {
            refuse(call, "the connection to " + link.peer() + " is closed");
            return;
        }
        awaiting.put(call.id(), call);
        call.startTimer(() -> timeOut(call.id()));
        LinkFaults.Fate fate = link.there(call.type());
        if (fate.lost()) {
            call.dropFrame();
        } else {
            after(fate.delay(), () -> write(call));
        }
    }

    private void write(OutboundCall call) {
        channel.writeAndFlush(call.frame())
                .addListener(
                        done -> {
                            call.frameWritten();
                            if (!done.isSuccess()) {
                                Sockets.close(channel);
                            }
                        });
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, Frame answer) {
        LinkFaults.Fate fate = link.back(answer.type());
        if (!fate.lost()) {
            after(fate.delay(), () -> settle(answer));
        }
    }

    private void settle(Frame answer) {
        OutboundCall call = awaiting.remove(answer.callId());
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

    private void timeOut(long callId) {
        OutboundCall call = awaiting.remove(callId);
        if (call != null) {
            String what = call.type() + " to " + link.peer();
            call.fail(
                    new InvokeTimeoutException(
                            what + " had no answer in " + call.timeoutMillis() + " ms"));
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        // Told callers may send again at once, so the table is emptied first.
        List<OutboundCall> lost = List.copyOf(awaiting.values());
        awaiting.clear();
        for (OutboundCall call : lost) {
            call.fail(new RemotingException("the connection to " + link.peer() + " was lost"));
        }
        ctx.fireChannelInactive();
    }

    private void after(Duration delay, Runnable step) {
        if (delay.isZero()) {
            step.run();
        } else {
            ScheduledFuture<?> unused =
                    channel.eventLoop().schedule(step, delay.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private static void refuse(OutboundCall call, String reason) {
        call.dropFrame();
        call.fail(new RemotingException(reason));
    }
}
