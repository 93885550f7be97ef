package io.raftlock.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.TooLongFrameException;

import org.junit.jupiter.api.Test;

import java.util.List;

class FramePipelineTest {
    private static EmbeddedChannel client() {
        EmbeddedChannel channel = new EmbeddedChannel();
        FramePipeline.addClientHandlers(channel.pipeline());
        return channel;
    }

    private static EmbeddedChannel server() {
        EmbeddedChannel channel = new EmbeddedChannel();
        FramePipeline.addServerHandlers(channel.pipeline());
        return channel;
    }

    private static RequestFrame request(long callId) {
        return new RequestFrame(0, callId, new Request.KeepAlive(new SessionId(7), List.of(1L)));
    }

    @Test
    void framesArriveHoweverTheBytesAreCut() {
        ByteBuf bytes = Unpooled.buffer();
        FramePipeline.writeFrame(request(1), bytes);
        FramePipeline.writeFrame(request(2), bytes);
        EmbeddedChannel server = server();
        while (bytes.isReadable()) {
            server.writeInbound(bytes.readBytes(1));
        }
        assertThat(server.<Object>readInbound()).isEqualTo(request(1));
        assertThat(server.<Object>readInbound()).isEqualTo(request(2));
        assertThat(server.<Object>readInbound()).isNull();
    }

    @Test
    void bothEndsUnderstandEachOther() {
        EmbeddedChannel client = client();
        EmbeddedChannel server = server();
        client.writeOutbound(request(3));
        server.writeInbound(client.<Object>readOutbound());
        assertThat(server.<Object>readInbound()).isEqualTo(request(3));
        ResponseFrame answer = new ResponseFrame(3, new Response.Queued(4));
        server.writeOutbound(answer);
        client.writeInbound(server.<Object>readOutbound());
        assertThat(client.<Object>readInbound()).isEqualTo(answer);
    }

    @Test
    void aFrameThatIsTooLongIsRefusedByItsLength() {
        ByteBuf bytes = Unpooled.buffer().writeInt(ProtocolLimits.MAX_FRAME_BYTES + 1);
        assertThatThrownBy(() -> server().writeInbound(bytes.writeZero(16)))
                .isInstanceOf(TooLongFrameException.class);
    }

    @Test
    void whatIsNoMessageIsAnError() {
        ByteBuf bytes = Unpooled.buffer().writeInt(3).writeByte(99).writeShort(0);
        assertThatThrownBy(() -> server().writeInbound(bytes))
                .isInstanceOf(DecoderException.class)
                .hasCauseInstanceOf(ProtocolException.class);
    }

    @Test
    void anHttpRequestIsAnError() {
        ByteBuf bytes = Unpooled.copiedBuffer("GET / HTTP/1.1\r\n\r\n".getBytes());
        assertThatThrownBy(() -> server().writeInbound(bytes)).isInstanceOf(DecoderException.class);
    }
}
