package io.raftlock.server.raft.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.alipay.sofa.jraft.entity.RaftOutter.SnapshotMeta;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.ErrorResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.GetFileRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.GetFileResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.InstallSnapshotRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.InstallSnapshotResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.PingRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.ReadIndexRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.ReadIndexResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.TimeoutNowRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.TimeoutNowResponse;
import com.google.protobuf.ByteString;
import com.google.protobuf.Empty;
import com.google.protobuf.Int32Value;
import com.google.protobuf.Message;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.Random;

@Timeout(30)
class FrameTest {
    static List<Message> oneOfEachType() {
        return List.of(
                AppendEntriesRequest.newBuilder()
                        .setGroupId("g")
                        .setServerId("a:1")
                        .setPeerId("b:2")
                        .setTerm(3)
                        .setPrevLogTerm(2)
                        .setPrevLogIndex(41)
                        .setCommittedIndex(40)
                        .setData(ByteString.copyFromUtf8("entries"))
                        .build(),
                AppendEntriesResponse.newBuilder().setTerm(3).setSuccess(true).build(),
                RequestVoteRequest.newBuilder()
                        .setGroupId("g")
                        .setServerId("a:1")
                        .setPeerId("b:2")
                        .setTerm(3)
                        .setLastLogTerm(2)
                        .setLastLogIndex(41)
                        .setPreVote(true)
                        .build(),
                RequestVoteResponse.newBuilder().setTerm(3).setGranted(true).build(),
                GetFileRequest.newBuilder()
                        .setReaderId(7)
                        .setFilename("f")
                        .setCount(8)
                        .setOffset(9)
                        .build(),
                GetFileResponse.newBuilder()
                        .setEof(true)
                        .setData(ByteString.copyFromUtf8("piece"))
                        .build(),
                InstallSnapshotRequest.newBuilder()
                        .setGroupId("g")
                        .setServerId("a:1")
                        .setPeerId("b:2")
                        .setTerm(3)
                        .setMeta(
                                SnapshotMeta.newBuilder()
                                        .setLastIncludedIndex(5)
                                        .setLastIncludedTerm(2))
                        .setUri("remote://a:1/7")
                        .build(),
                InstallSnapshotResponse.newBuilder().setTerm(3).setSuccess(true).build(),
                PingRequest.newBuilder().setSendTimestamp(1).build(),
                ErrorResponse.newBuilder().setErrorCode(5).setErrorMsg("no").build(),
                TimeoutNowRequest.newBuilder()
                        .setGroupId("g")
                        .setServerId("a:1")
                        .setPeerId("b:2")
                        .setTerm(3)
                        .build(),
                TimeoutNowResponse.newBuilder().setTerm(3).setSuccess(true).build(),
                ReadIndexRequest.newBuilder().setGroupId("g").setServerId("a:1").build(),
                ReadIndexResponse.newBuilder().setIndex(40).setSuccess(true).build(),
                Empty.getDefaultInstance(),
                Int32Value.of(2));
    }

    @ParameterizedTest
    @MethodSource("oneOfEachType")
    void everyTypeComesOutAsItWentIn(Message body) {
        Frame sent = Frame.of(0x0102030405060708L, body);
        EmbeddedChannel channel = receiver(sent.type().direction());

        channel.writeInbound(sent.encode(UnpooledByteBufAllocator.DEFAULT));

        assertThat((Frame) channel.readInbound()).isEqualTo(sent);
        assertThat(channel.isActive()).isTrue();
    }

    @Test
    void theSamplesCoverEveryType() {
        assertThat(oneOfEachType()).map(RaftMessage::of).containsExactly(RaftMessage.values());
    }

    @Test
    void theBytesOfAFrameArePinned() {
        Frame frame =
                Frame.of(0x0102030405060708L, PingRequest.newBuilder().setSendTimestamp(1).build());

        assertThat(ByteBufUtil.hexDump(frame.encode(UnpooledByteBufAllocator.DEFAULT)))
                .isEqualTo("0000000d" + "0102030405060708" + "00" + "0009" + "0801");
    }

    @Test
    void theCodesOfTypesArePinned() {
        assertThat(RaftMessage.values())
                .extracting(RaftMessage::code)
                .containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
    }

    @Test
    void aFrameInPiecesIsPutTogether() {
        Frame sent = Frame.of(1, oneOfEachType().get(0));
        ByteBuf bytes = sent.encode(UnpooledByteBufAllocator.DEFAULT);
        EmbeddedChannel channel = receiver(RaftMessage.Direction.REQUEST);

        while (bytes.isReadable()) {
            channel.writeInbound(bytes.readBytes(1));
        }

        assertThat((Frame) channel.readInbound()).isEqualTo(sent);
        bytes.release();
    }

    @Test
    void anOverlongFrameIsRefusedBeforeItIsThere() {
        assertRefused(Unpooled.buffer().writeInt(Frame.MAX_FRAME_BYTES + 1).writeByte(0));
        assertRefused(Unpooled.buffer().writeInt(-1).writeByte(0));
    }

    @Test
    void anOverlongMessageIsNotEncoded() {
        byte[] data = new byte[Frame.MAX_FRAME_BYTES];
        Message body =
                GetFileResponse.newBuilder()
                        .setEof(true)
                        .setData(ByteString.copyFrom(data))
                        .build();

        assertThatThrownBy(() -> Frame.of(1, body).encode(UnpooledByteBufAllocator.DEFAULT))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aFrameShorterThanItsHeaderIsRefused() {
        assertRefused(Unpooled.buffer().writeInt(3).writeMedium(0));
        assertRefused(Unpooled.buffer().writeInt(0));
    }

    @Test
    void anUnknownCodeIsRefused() {
        assertRefused(header(0, 0));
        assertRefused(header(0, RaftMessage.values().length + 1));
        assertRefused(header(0, 0xffff));
    }

    @Test
    void aWrongDirectionIsRefused() {
        assertRefused(header(1, RaftMessage.PING_REQUEST.code()));
        assertRefused(header(7, RaftMessage.PING_REQUEST.code()));
        assertRefused(
                Frame.of(1, ErrorResponse.newBuilder().setErrorCode(0).build())
                        .encode(UnpooledByteBufAllocator.DEFAULT));
    }

    @Test
    void aBodyWithoutItsRequiredFieldsIsRefused() {
        assertRefused(header(0, RaftMessage.APPEND_ENTRIES_REQUEST.code()));
    }

    @Test
    void garbageClosesAndNeverEscapes() {
        Random random = new Random(1);
        for (int round = 0; round < 2_000; round++) {
            byte[] garbage = new byte[1 + random.nextInt(64)];
            random.nextBytes(garbage);
            ByteBuf bytes = Unpooled.buffer();
            if (random.nextBoolean()) { // half of it gets past the length, half of that the code
                bytes.writeInt(garbage.length + Frame.HEADER_BYTES).writeLong(1).writeByte(0);
                bytes.writeShort(random.nextBoolean() ? 1 : random.nextInt());
            } else {
                garbage[0] |= (byte) 0x80;
            }
            assertRefused(bytes.writeBytes(garbage));
        }
    }

    private static void assertRefused(ByteBuf bytes) {
        EmbeddedChannel channel = receiver(RaftMessage.Direction.REQUEST);

        channel.writeInbound(bytes, Unpooled.copiedBuffer(new byte[100]));

        assertThat(channel.<Object>readInbound()).isNull();
        assertThat(channel.isActive()).isFalse();
        assertThat(bytes.refCnt()).isZero();
    }

    private static ByteBuf header(int direction, int code) {
        return Unpooled.buffer()
                .writeInt(Frame.HEADER_BYTES)
                .writeLong(1)
                .writeByte(direction)
                .writeShort(code);
    }

    private static EmbeddedChannel receiver(RaftMessage.Direction accepted) {
        return new EmbeddedChannel(new FrameDecoder(accepted), CloseOnError.INSTANCE);
    }
}
