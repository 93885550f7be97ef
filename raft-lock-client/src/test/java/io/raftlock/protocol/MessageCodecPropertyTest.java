package io.raftlock.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import java.util.List;

/** What is written is read back; what is read is a frame or a {@link ProtocolException}. */
class MessageCodecPropertyTest {

    @Property
    void aRequestIsReadBack(@ForAll("requests") Request request, @ForAll long callId) {
        RequestFrame frame = new RequestFrame(65_535, callId, request);
        ByteBuf bytes = Unpooled.buffer();
        MessageCodec.encode(frame, bytes);
        assertThat(MessageCodec.decodeRequest(bytes)).isEqualTo(frame);
        assertThat(bytes.isReadable()).isFalse();
    }

    @Property
    void aResponseIsReadBack(@ForAll("responses") Response response, @ForAll long callId) {
        ResponseFrame frame = new ResponseFrame(callId, response);
        ByteBuf bytes = Unpooled.buffer();
        MessageCodec.encode(frame, bytes);
        assertThat(MessageCodec.decodeResponse(bytes)).isEqualTo(frame);
        assertThat(bytes.isReadable()).isFalse();
    }

    @Property
    void aFrameThatIsCutShortIsNoFrame(@ForAll("requests") Request request, @ForAll int cut) {
        ByteBuf bytes = Unpooled.buffer();
        MessageCodec.encode(new RequestFrame(0, 1, request), bytes);
        ByteBuf shorter = bytes.slice(0, Math.floorMod(cut, bytes.readableBytes()));
        assertThatThrownBy(() -> MessageCodec.decodeRequest(shorter))
                .isInstanceOf(ProtocolException.class);
    }

    @Property
    void bytesAfterTheMessageAreRefused(@ForAll("responses") Response response) {
        ByteBuf bytes = Unpooled.buffer();
        MessageCodec.encode(new ResponseFrame(1, response), bytes);
        bytes.writeByte(0);
        assertThatThrownBy(() -> MessageCodec.decodeResponse(bytes))
                .isInstanceOf(ProtocolException.class);
    }

    /** Random bytes behind a kind that exists, for most others end at the first byte. */
    @Property(tries = 20_000)
    void anyBytesAreAFrameOrAProtocolException(@ForAll("kinds") int kind, @ForAll byte[] tail) {
        byte[] bytes = new byte[tail.length + 1];
        bytes[0] = (byte) kind;
        System.arraycopy(tail, 0, bytes, 1, tail.length);
        if (!isRequest(bytes)) {
            assertThatThrownBy(() -> MessageCodec.decodeRequest(Unpooled.wrappedBuffer(bytes)))
                    .isInstanceOf(ProtocolException.class);
        }
        if (!isResponse(bytes)) {
            assertThatThrownBy(() -> MessageCodec.decodeResponse(Unpooled.wrappedBuffer(bytes)))
                    .isInstanceOf(ProtocolException.class);
        }
    }

    /** One byte of a good frame changed: far more of these get far into the decoder. */
    @Property(tries = 5_000)
    void oneWrongByteIsAFrameOrAProtocolException(
            @ForAll("requests") Request request, @ForAll int at, @ForAll byte wrong) {
        ByteBuf good = Unpooled.buffer();
        MessageCodec.encode(new RequestFrame(0, 1, request), good);
        byte[] bytes = ByteBufUtil.getBytes(good);
        bytes[Math.floorMod(at, bytes.length)] = wrong;
        if (!isRequest(bytes)) {
            assertThatThrownBy(() -> MessageCodec.decodeRequest(Unpooled.wrappedBuffer(bytes)))
                    .isInstanceOf(ProtocolException.class);
        }
    }

    private static boolean isRequest(byte[] bytes) {
        try {
            MessageCodec.decodeRequest(Unpooled.wrappedBuffer(bytes));
            return true;
        } catch (RuntimeException any) {
            return false;
        }
    }

    private static boolean isResponse(byte[] bytes) {
        try {
            MessageCodec.decodeResponse(Unpooled.wrappedBuffer(bytes));
            return true;
        } catch (RuntimeException any) {
            return false;
        }
    }

    @Example
    void textThatIsNotUtf8IsRefused() {
        ByteBuf bytes = Unpooled.buffer();
        MessageCodec.encode(new ResponseFrame(1, new Response.Unknown("ab")), bytes);
        bytes.setByte(bytes.writerIndex() - 1, 0xC3);
        assertThatThrownBy(() -> MessageCodec.decodeResponse(bytes))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("UTF-8");
    }

    @Provide
    Arbitrary<Integer> kinds() {
        return Arbitraries.integers().between(0, 16);
    }

    @Provide
    Arbitrary<Request> requests() {
        Arbitrary<Long> numbers = Arbitraries.longs();
        Arbitrary<SessionId> sessions = numbers.map(SessionId::new);
        Arbitrary<SessionSecret> secrets =
                Combinators.combine(numbers, numbers).as(SessionSecret::new);
        Arbitrary<ClientMetadata> clients =
                Combinators.combine(texts(), texts(), numbers).as(ClientMetadata::new);
        Arbitrary<Integer> versions = Arbitraries.integers().between(0, 65_535);
        return Arbitraries.<Request>oneOf(
                List.of(
                        Combinators.combine(versions, versions).as(Request.Hello::new),
                        Combinators.combine(secrets, numbers, clients).as(Request.OpenSession::new),
                        Combinators.combine(sessions, secrets).as(Request.Attach::new),
                        Combinators.combine(sessions, secrets).as(Request.CloseSession::new),
                        Combinators.combine(sessions, numbers.list().ofMaxSize(2_000))
                                .as(Request.KeepAlive::new),
                        Combinators.combine(
                                        sessions,
                                        numbers,
                                        numbers,
                                        names(),
                                        numbers,
                                        Arbitraries.of(true, false),
                                        numbers,
                                        texts())
                                .as(Request.Acquire::new),
                        Combinators.combine(sessions, numbers, numbers, numbers)
                                .as(Request.CancelAcquire::new),
                        Combinators.combine(sessions, numbers, numbers, names(), numbers, numbers)
                                .as(Request.Release::new),
                        Arbitraries.just(new Request.Status())));
    }

    @Provide
    Arbitrary<Response> responses() {
        Arbitrary<Long> numbers = Arbitraries.longs();
        Arbitrary<Integer> counts = Arbitraries.integers();
        Arbitrary<SessionId> sessions = numbers.map(SessionId::new);
        Arbitrary<Response.Grant> grants =
                Combinators.combine(numbers, numbers, numbers).as(Response.Grant::new);
        Arbitrary<EndReason> reasons = Arbitraries.of(EndReason.class);
        return Arbitraries.<Response>oneOf(
                List.of(
                        Combinators.combine(Arbitraries.integers().between(0, 65_535), texts())
                                .as(Response.Welcome::new),
                        Combinators.combine(sessions, numbers).as(Response.SessionOpened::new),
                        sessions.map(Response.Attached::new),
                        Arbitraries.just(new Response.SessionClosed()),
                        Combinators.combine(
                                        numbers,
                                        grants.list().ofMaxSize(500),
                                        numbers.list().ofMaxSize(500))
                                .as(Response.KeptAlive::new),
                        Combinators.combine(grants, numbers).as(Response.Granted::new),
                        counts.map(Response.Queued::new),
                        Arbitraries.just(new Response.Cancelled()),
                        Arbitraries.just(new Response.Released()),
                        Combinators.combine(Arbitraries.of(ErrorCode.class), texts())
                                .as(Response.Refused::new),
                        texts().map(Response.NotLeader::new),
                        texts().map(Response.Unknown::new),
                        Combinators.combine(sessions, reasons).as(Response.SessionEnded::new),
                        Combinators.combine(numbers, numbers, reasons).as(Response.HoldEnded::new),
                        Combinators.combine(texts(), numbers, counts)
                                .as(
                                        (text, number, count) ->
                                                new Response.NodeStatus(
                                                        text, text, number, text, number, text,
                                                        count, count, count))));
    }

    /** Well-formed text of up to 1024 bytes, of all planes. */
    private static Arbitrary<String> texts() {
        return codePoints(0x1F600, 256);
    }

    private static Arbitrary<LockName> names() {
        return codePoints(0x1F600, 128).filter(text -> !text.isEmpty()).map(LockName::new);
    }

    private static Arbitrary<String> codePoints(int highest, int most) {
        return Arbitraries.integers()
                .between(0x20, highest)
                .filter(point -> !Character.isISOControl(point))
                .filter(point -> point < 0xD800 || point > 0xDFFF)
                .list()
                .ofMaxSize(most)
                .map(
                        points ->
                                points.stream()
                                        .collect(
                                                StringBuilder::new,
                                                StringBuilder::appendCodePoint,
                                                StringBuilder::append)
                                        .toString());
    }
}
