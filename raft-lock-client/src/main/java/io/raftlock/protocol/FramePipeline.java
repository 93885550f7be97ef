package io.raftlock.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.MessageToByteEncoder;
import io.netty.handler.codec.MessageToMessageDecoder;

import java.util.List;

/** The handlers that turn bytes into frames and back, the same at both ends of a connection. */
public final class FramePipeline {
    private static final int LENGTH_BYTES = 4;

    private FramePipeline() {}

    /** For the end that asks: writes {@link RequestFrame}, reads {@link ResponseFrame}. */
    public static void addClientHandlers(ChannelPipeline pipeline) {
        pipeline.addLast(frames(), new RequestWriter(), new ResponseReader());
    }

    /** For the end that answers: writes {@link ResponseFrame}, reads {@link RequestFrame}. */
    public static void addServerHandlers(ChannelPipeline pipeline) {
        pipeline.addLast(frames(), new ResponseWriter(), new RequestReader());
    }

    /** Appends the frame with its length in front. */
    public static void writeFrame(RequestFrame frame, ByteBuf out) {
        int start = beginFrame(out);
        MessageCodec.encode(frame, out);
        endFrame(out, start);
    }

    /** Appends the frame with its length in front. */
    public static void writeFrame(ResponseFrame frame, ByteBuf out) {
        int start = beginFrame(out);
        MessageCodec.encode(frame, out);
        endFrame(out, start);
    }

    private static int beginFrame(ByteBuf out) {
        out.writeInt(0);
        return out.writerIndex();
    }

    private static void endFrame(ByteBuf out, int start) {
        int length = out.writerIndex() - start;
        if (length > ProtocolLimits.MAX_FRAME_BYTES) {
            throw new IllegalArgumentException("frame of " + length + " bytes");
        }
        out.setInt(start - LENGTH_BYTES, length);
    }

    private static LengthFieldBasedFrameDecoder frames() {
        return new LengthFieldBasedFrameDecoder(
                ProtocolLimits.MAX_FRAME_BYTES + LENGTH_BYTES, 0, LENGTH_BYTES, 0, LENGTH_BYTES);
    }

    private static final class RequestWriter extends MessageToByteEncoder<RequestFrame> {
        @Override
        protected void encode(ChannelHandlerContext ctx, RequestFrame frame, ByteBuf out) {
            writeFrame(frame, out);
        }
    }

    private static final class ResponseWriter extends MessageToByteEncoder<ResponseFrame> {
        @Override
        protected void encode(ChannelHandlerContext ctx, ResponseFrame frame, ByteBuf out) {
            writeFrame(frame, out);
        }
    }

    private static final class RequestReader extends MessageToMessageDecoder<ByteBuf> {
        @Override
        protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
            out.add(MessageCodec.decodeRequest(in));
        }
    }

    private static final class ResponseReader extends MessageToMessageDecoder<ByteBuf> {
        @Override
        protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
            out.add(MessageCodec.decodeResponse(in));
        }
    }
}
