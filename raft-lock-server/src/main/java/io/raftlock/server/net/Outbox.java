package io.raftlock.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.raftlock.protocol.FramePipeline;
import io.raftlock.protocol.ResponseFrame;
import io.raftlock.server.wire.Wire;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What waits to be written to one connection. Any thread adds. All that has gathered is written in
 * one buffer, so that many answers cost one system call, by the connection's event loop or by a
 * thread that has no time to wake it.
 */
final class Outbox {
    /** A client that does not read while this much piles up is cut off: it can attach again. */
    static final int MAX_WAITING_FRAMES = 65_536;

    private static final int MAX_UNSENT_BYTES = 16 * 1024 * 1024;
    private static final int BYTES_PER_FRAME = 64;
    private static final int MAX_FRAMES_PER_BUFFER = 1_024;

    private final Channel channel;
    private final Wire wire;
    private final Runnable answered;
    private final Queue<ResponseFrame> frames = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicBoolean scheduled = new AtomicBoolean();

    /**
     * Makes the outbox of that channel.
     *
     * @param answered run for each answer (not push) that leaves the outbox, by any thread
     */
    Outbox(Channel channel, Runnable answered) {
        this.channel = channel;
        this.wire = Wire.past(channel);
        this.answered = answered;
    }

    /** Adds a frame, which goes out with the next flush. */
    void add(ResponseFrame frame) {
        if (waiting.incrementAndGet() <= MAX_WAITING_FRAMES) {
            frames.add(frame);
        } else {
            channel.close();
        }
    }

    /** Has everything written that was added before this call. */
    void flush() {
        if (scheduled.compareAndSet(false, true)) {
            try {
                channel.eventLoop().execute(this::writeScheduled);
            } catch (RejectedExecutionException stopped) {
                // The node has closed this connection with all others.
                scheduled.set(false);
            }
        }
    }

    private void writeScheduled() {
        scheduled.set(false);
        flushNow();
    }

    /** Writes everything that was added before this call. */
    synchronized void flushNow() {
        ResponseFrame next = frames.poll();
        while (next != null) {
            int count = Math.min(waiting.get(), MAX_FRAMES_PER_BUFFER);
            ByteBuf buffer = channel.alloc().buffer(count * BYTES_PER_FRAME);
            for (int written = 0; next != null && written < MAX_FRAMES_PER_BUFFER; written++) {
                writeOne(next, buffer);
                next = frames.poll();
            }
            wire.send(buffer, () -> {});
        }
        if (wire.waitingBytes() > MAX_UNSENT_BYTES) {
            channel.close();
        }
    }

    private void writeOne(ResponseFrame frame, ByteBuf buffer) {
        waiting.decrementAndGet();
        FramePipeline.writeFrame(frame, buffer);
        if (!frame.isPush()) {
            answered.run();
        }
    }
}
