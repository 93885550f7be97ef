package io.raftlock.server.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.channels.SocketChannel;

/**
 * The way out of a connection, for any thread. Who sends writes to the socket itself, for to wake
 * the event loop takes longer than to write. What the socket does not take at once goes to the
 * loop, and everything that comes before that has left goes after it.
 *
 * <p>All that leaves the connection has to go this way.
 */
public final class Wire {
    private final Channel channel;

    /** Or null: what is sent has to go through the channel's handlers. */
    private final @Nullable SocketChannel socket;

    private int buffersAtLoop;
    private long bytesAtLoop;

    private Wire(Channel channel, @Nullable SocketChannel socket) {
        this.channel = channel;
        this.socket = socket;
    }

    /** Returns the wire of a channel whose handlers leave what is sent as it is. */
    public static Wire past(Channel channel) {
        return new Wire(channel, channel instanceof SharedSocket shared ? shared.socket() : null);
    }

    /** Returns the wire of a channel whose handlers change what is sent, as encryption does. */
    public static Wire through(Channel channel) {
        return new Wire(channel, null);
    }

    /**
     * Sends the bytes after all that was sent before, and releases them. If that fails, the
     * connection is closed.
     *
     * @param gone run when the bytes have left or never will, on this thread or the event loop
     */
    public void send(ByteBuf bytes, Runnable gone) {
        boolean isOver;
        try {
            isOver = sendNow(bytes, gone);
        } catch (IOException broken) {
            Sockets.close(channel);
            isOver = true;
        }
        if (isOver) {
            bytes.release();
            gone.run();
        }
    }

    /** Returns how much waits for the socket. */
    public synchronized long waitingBytes() {
        return bytesAtLoop;
    }

    private synchronized boolean sendNow(ByteBuf bytes, Runnable gone) throws IOException {
        if (socket != null && buffersAtLoop == 0) {
            bytes.skipBytes(socket.write(bytes.nioBuffer()));
            if (!bytes.isReadable()) {
                return true;
            }
        }
        sendByLoop(bytes, gone);
        return false;
    }

    private void sendByLoop(ByteBuf bytes, Runnable gone) {
        int length = bytes.readableBytes();
        buffersAtLoop++;
        bytesAtLoop += length;
        ChannelFuture unused =
                channel.writeAndFlush(bytes)
                        .addListener(
                                done -> {
                                    leftLoop(length);
                                    gone.run();
                                    if (!done.isSuccess()) {
                                        Sockets.close(channel);
                                    }
                                });
    }

    private synchronized void leftLoop(int length) {
        buffersAtLoop--;
        bytesAtLoop -= length;
    }
}
