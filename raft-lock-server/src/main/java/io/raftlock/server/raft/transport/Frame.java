package io.raftlock.server.raft.transport;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * One message on the wire: u32 length of what follows, u64 call id, u8 direction, u16 message code,
 * protobuf body. An answer carries the call id of its request.
 */
record Frame(long callId, RaftMessage type, Message body) {
    static final int LENGTH_BYTES = 4;
    static final int HEADER_BYTES = 8 + 1 + 2;

    /**
     * The longest frame, after its length field. An append request is closed at 512 KiB of entries
     * (RaftOptions.maxBodySize) plus the one entry that crosses it, a piece of a file has 128 KiB:
     * this leaves room for an entry ten times as long as any we write, and bounds what one
     * connection can make a node hold.
     */
    static final int MAX_FRAME_BYTES = 8 << 20;

    static Frame of(long callId, Message body) {
        return new Frame(callId, RaftMessage.of(body), body);
    }

    /** The frame in a new buffer, which belongs to the caller. */
    ByteBuf encode(ByteBufAllocator allocator) {
        int bodyBytes = body.getSerializedSize();
        if (bodyBytes > MAX_FRAME_BYTES - HEADER_BYTES) {
            throw new IllegalArgumentException(type + " of " + bodyBytes + " bytes is too long");
        }
        ByteBuf out = allocator.directBuffer(LENGTH_BYTES + HEADER_BYTES + bodyBytes);
        try {
            out.writeInt(HEADER_BYTES + bodyBytes);
            out.writeLong(callId);
            out.writeByte(type.direction().code());
            out.writeShort(type.code());
            writeBody(out, bodyBytes);
            return out;
        } catch (IOException e) {
            out.release();
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            out.release();
            throw e;
        }
    }

    private void writeBody(ByteBuf out, int bodyBytes) throws IOException {
        int start = out.writerIndex();
        CodedOutputStream stream = CodedOutputStream.newInstance(out.nioBuffer(start, bodyBytes));
        body.writeTo(stream);
        stream.flush();
        stream.checkNoSpaceLeft();
        out.writerIndex(start + bodyBytes);
    }

    /** Reads a frame that starts after its length field. */
    static Frame decode(ByteBuf in) throws MalformedFrameException {
        if (in.readableBytes() < HEADER_BYTES) {
            throw new MalformedFrameException("frame of " + in.readableBytes() + " bytes");
        }
        long callId = in.readLong();
        int direction = in.readUnsignedByte();
        int code = in.readUnsignedShort();
        RaftMessage type = RaftMessage.ofCode(code);
        if (type == null) {
            throw new MalformedFrameException("unknown message code " + code);
        }
        if (direction != type.direction().code()) {
            throw new MalformedFrameException(type + " with direction " + direction);
        }
        try {
            return new Frame(callId, type, type.parse(in.nioBuffer()));
        } catch (InvalidProtocolBufferException e) {
            throw new MalformedFrameException("unreadable " + type, e);
        }
    }
}
