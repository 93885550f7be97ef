package io.raftlock.chaos.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.ScheduledFuture;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * One direction of a connection: what comes from the source goes to the sink in its order, when the
 * line lets it. The end of the one is such a thing, too. When it keeps too much it reads no more.
 * Owned by the event loop.
 */
final class Pipe {
    /** What a sender does last. */
    enum End {
        NONE,
        /** It sends no more, and may still receive. */
        FINISHED,
        RESET
    }

    /**
     * On the way.
     *
     * @param end that comes after the bytes
     */
    private record Kept(long dueNanos, ByteBuf bytes, End end) {}

    private final Line line;
    private final SocketChannel source;
    private final Runnable finished;
    private final Queue<Kept> kept = new ArrayDeque<>();
    private int keptBytes;
    private long lastDueNanos = System.nanoTime();
    private End end = End.NONE;
    private boolean isFinished;
    private @Nullable SocketChannel sink;
    private boolean isTimed;

    /**
     * @param finished called when the sink has been told that no more will come
     */
    Pipe(Line line, SocketChannel source, Runnable finished) {
        this.line = line;
        this.source = source;
        this.finished = finished;
    }

    /** There is somewhere to hand things on to. */
    void open(SocketChannel to) {
        sink = to;
        pump();
    }

    /** Takes bytes from the source, and owns them from now on. */
    void take(ByteBuf bytes) {
        SocketChannel to = sink;
        if (to != null && line.isPlain() && kept.isEmpty()) {
            write(to, bytes);
        } else {
            if (!line.isPlain()) {
                line.hit();
            }
            int piece = line.piece();
            while (bytes.readableBytes() > piece) {
                keep(bytes.readRetainedSlice(piece), End.NONE);
            }
            keep(bytes, End.NONE);
        }
        pump();
    }

    /** The source has ended. A reset may come after a finish. */
    void end(End how) {
        if (end.compareTo(how) < 0) {
            end = how;
            keep(Unpooled.EMPTY_BUFFER, how);
            pump();
        }
    }

    /** Whether the sink has been told that no more will come. */
    boolean isFinished() {
        return isFinished;
    }

    /**
     * Hands on what is due, and says when to look again. To be called whenever anything changed.
     */
    void pump() {
        SocketChannel to = sink;
        if (to != null && !to.isOpen()) {
            drop();
        } else if (to != null && !line.isCut()) {
            handOnDue(to);
        }
        source.config().setAutoRead(mayRead());
    }

    /** Forgets what is on the way. */
    void drop() {
        kept.forEach(each -> each.bytes().release());
        kept.clear();
        keptBytes = 0;
    }

    private void handOnDue(SocketChannel to) {
        long now = System.nanoTime();
        Kept next = kept.peek();
        while (next != null && (line.isPlain() || next.dueNanos() - now <= 0)) {
            kept.remove();
            keptBytes -= next.bytes().readableBytes();
            handOn(to, next);
            next = kept.peek();
        }
        if (next != null) {
            wakeAt(next.dueNanos(), now);
        }
    }

    private void handOn(SocketChannel to, Kept next) {
        switch (next.end()) {
            case NONE -> write(to, next.bytes());
            case FINISHED -> finish(to);
            case RESET -> reset(to);
        }
    }

    /** After all that was written: else the last of it would be lost. */
    private void finish(SocketChannel to) {
        to.writeAndFlush(Unpooled.EMPTY_BUFFER)
                .addListener(
                        written -> {
                            ChannelFuture unused = to.shutdownOutput();
                            isFinished = true;
                            finished.run();
                        });
    }

    /** Ends a connection without a good-bye: whoever is at the other end sees a reset. */
    static void reset(SocketChannel channel) {
        if (channel.isOpen()) {
            channel.config().setSoLinger(0);
        }
        close(channel);
    }

    static void close(Channel channel) {
        ChannelFuture unused = channel.close();
    }

    private static void write(SocketChannel to, ByteBuf bytes) {
        // One that fails closes the channel, which is seen there.
        ChannelFuture unused = to.writeAndFlush(bytes);
    }

    private void keep(ByteBuf bytes, End how) {
        long now = System.nanoTime();
        long arrival = line.arrivalNanos(bytes.readableBytes(), now);
        lastDueNanos = arrival - lastDueNanos > 0 ? arrival : lastDueNanos;
        kept.add(new Kept(lastDueNanos, bytes, how));
        keptBytes += bytes.readableBytes();
    }

    private void wakeAt(long dueNanos, long nowNanos) {
        if (!isTimed) {
            isTimed = true;
            ScheduledFuture<?> unused =
                    source.eventLoop()
                            .schedule(this::wake, dueNanos - nowNanos, TimeUnit.NANOSECONDS);
        }
    }

    private void wake() {
        isTimed = false;
        pump();
    }

    /**
     * Who sends to somebody who is gone learns of that by the other direction, when it is whole.
     */
    private boolean mayRead() {
        SocketChannel to = sink;
        return keptBytes < line.room() && (to == null || (to.isOpen() && to.isWritable()));
    }
}
