package io.raftlock.chaos.net;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.SocketChannel;

import org.jspecify.annotations.Nullable;

import java.net.SocketAddress;
import java.util.Set;
import java.util.function.Consumer;

/**
 * One connection from a caller to a node, passed on by this process. It is accepted at once, and
 * dialled on when both directions are whole: until then the caller is connected to nobody. Owned by
 * the event loop.
 */
final class Conversation {
    /**
     * Between whom it is.
     *
     * @param target where the node listens
     */
    record Ends(String caller, String node, SocketAddress target, Line lineThere, Line lineBack) {}

    private final Ends ends;
    private final SocketChannel caller;
    private final Consumer<Conversation> over;
    private final Pipe there;
    private boolean isDialled;
    private @Nullable SocketChannel node;
    private @Nullable Pipe back;

    /**
     * @param over told when nothing is left of it
     */
    Conversation(Ends ends, SocketChannel caller, Consumer<Conversation> over) {
        this.ends = ends;
        this.caller = caller;
        this.over = over;
        there = new Pipe(ends.lineThere(), caller, this::closeIfFinished);
    }

    boolean isBetween(Set<String> side, Set<String> other) {
        return (side.contains(ends.caller()) && other.contains(ends.node()))
                || (other.contains(ends.caller()) && side.contains(ends.node()));
    }

    /** The caller is connected. */
    void begin(Bootstrap dialler) {
        caller.pipeline().addLast(new CallerSide());
        if (!isWhole()) {
            ends.lineThere().hit();
        }
        linesChanged(dialler);
    }

    /** Goes on with what the lines let through now. */
    void linesChanged(Bootstrap dialler) {
        if (!isDialled && isWhole() && caller.isOpen()) {
            isDialled = true;
            dial(dialler);
        }
        pump();
    }

    /** Breaks it at both ends. */
    void reset() {
        Pipe.reset(caller);
        if (node != null) {
            Pipe.reset(node);
        }
    }

    private boolean isWhole() {
        return !ends.lineThere().isCut() && !ends.lineBack().isCut();
    }

    private void dial(Bootstrap dialler) {
        ChannelFuture dialled = dialler.connect(ends.target());
        dialled.addListener(
                done -> {
                    if (done.isSuccess()) {
                        connect((SocketChannel) dialled.channel());
                    } else {
                        Pipe.reset(caller);
                    }
                });
    }

    private void connect(SocketChannel answered) {
        if (!caller.isOpen()) {
            Pipe.reset(answered);
            return;
        }
        node = answered;
        back = new Pipe(ends.lineBack(), answered, this::closeIfFinished);
        answered.pipeline().addLast(new NodeSide());
        back.open(caller);
        there.open(answered);
    }

    private void pump() {
        there.pump();
        if (back != null) {
            back.pump();
        }
    }

    private void closeIfFinished() {
        if (there.isFinished() && back != null && back.isFinished()) {
            Pipe.close(caller);
            if (node != null) {
                Pipe.close(node);
            }
        }
    }

    private void ended() {
        if (!caller.isOpen() && (node == null || !node.isOpen())) {
            there.drop();
            if (back != null) {
                back.drop();
            }
            over.accept(this);
        }
    }

    /** What one end does. */
    private abstract static class Side extends ChannelInboundHandlerAdapter {
        abstract void received(ByteBuf bytes);

        abstract void ended(Pipe.End how);

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object bytes) {
            received((ByteBuf) bytes);
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event == ChannelInputShutdownEvent.INSTANCE) {
                ended(Pipe.End.FINISHED);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            ended(Pipe.End.RESET);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable broken) {
            // A reset from there: what is still to be written there can go nowhere.
            Pipe.close(ctx.channel());
        }
    }

    private final class CallerSide extends Side {
        @Override
        void received(ByteBuf bytes) {
            there.take(bytes);
        }

        @Override
        void ended(Pipe.End how) {
            there.end(how);
            if (!isDialled) {
                Pipe.close(caller);
            }
            pump();
            Conversation.this.ended();
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            pump();
        }
    }

    private final class NodeSide extends Side {
        @Override
        void received(ByteBuf bytes) {
            if (back != null) {
                back.take(bytes);
            }
        }

        @Override
        void ended(Pipe.End how) {
            if (back != null) {
                back.end(how);
            }
            pump();
            Conversation.this.ended();
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            pump();
        }
    }
}
