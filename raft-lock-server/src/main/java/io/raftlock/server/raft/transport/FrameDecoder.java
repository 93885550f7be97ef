package io.raftlock.server.raft.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;

import org.jspecify.annotations.Nullable;

/** Cuts the bytes of a connection into frames of one direction. */
final class FrameDecoder extends LengthFieldBasedFrameDecoder {
    private final RaftMessage.Direction accepted;
    private boolean broken;

    FrameDecoder(RaftMessage.Direction accepted) {
        super(Frame.MAX_FRAME_BYTES, 0, Frame.LENGTH_BYTES, 0, Frame.LENGTH_BYTES);
        this.accepted = accepted;
    }

    @Override
    protected @Nullable Object decode(ChannelHandlerContext ctx, ByteBuf in) throws Exception {
        if (broken) {
            // The connection is being closed; nothing after a bad frame can be understood.
            in.skipBytes(in.readableBytes());
            return null;
        }
        boolean understood = false;
        try {
            Frame frame = next(ctx, in);
            understood = true;
            return frame;
        } finally {
            broken = !understood;
        }
    }

    private @Nullable Frame next(ChannelHandlerContext ctx, ByteBuf in) throws Exception {
        ByteBuf bytes = (ByteBuf) super.decode(ctx, in);
        if (bytes == null) {
            return null;
        }
        try {
            Frame frame = Frame.decode(bytes);
            if (frame.type().direction() != accepted) {
                throw new MalformedFrameException(frame.type() + " on the wrong side");
            }
            return frame;
        } finally {
            bytes.release();
        }
    }
}
