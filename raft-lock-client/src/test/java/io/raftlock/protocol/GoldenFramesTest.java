package io.raftlock.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * Pins the bytes of every kind of message, in {@code golden/frames.properties}: released clients
 * and servers must go on understanding each other. A change there is a change of the protocol.
 */
class GoldenFramesTest {
    private static final SessionId SESSION = new SessionId(0x0102030405060708L);
    private static final SessionSecret SECRET =
            new SessionSecret(0x1112131415161718L, 0x2122232425262728L);
    private static final LockName NAME = new LockName("orders/42-ü");
    private static final Map<String, Object> FRAMES = new LinkedHashMap<>();

    static {
        request("request.hello", new Request.Hello(1, 3));
        request(
                "request.open_session",
                new Request.OpenSession(
                        SECRET, 10_000, new ClientMetadata("billing", "host1", 4711)));
        request("request.attach", new Request.Attach(SESSION, SECRET));
        request("request.close_session", new Request.CloseSession(SESSION, SECRET));
        request("request.keep_alive", new Request.KeepAlive(SESSION, List.of(7L, 9L)));
        request("request.keep_alive.empty", new Request.KeepAlive(SESSION, List.of()));
        request(
                "request.acquire",
                new Request.Acquire(SESSION, 12, 11, NAME, 3, true, 60_000, "nightly job"));
        request("request.acquire.try", new Request.Acquire(SESSION, 13, 12, NAME, 3, false, 0, ""));
        request("request.cancel_acquire", new Request.CancelAcquire(SESSION, 14, 12, 13));
        request("request.release", new Request.Release(SESSION, 15, 14, NAME, 3, 421_888));
        request("request.status", new Request.Status());
        response("response.welcome", new Response.Welcome(1, "n1"));
        response("response.session_opened", new Response.SessionOpened(SESSION, 10_000));
        response("response.attached", new Response.Attached(SESSION));
        response("response.session_closed", new Response.SessionClosed());
        response(
                "response.kept_alive",
                new Response.KeptAlive(
                        123_456, List.of(new Response.Grant(7, 421_888, 183_456)), List.of(9L)));
        response(
                "response.granted",
                new Response.Granted(new Response.Grant(12, 421_888, 0), 123_456));
        response("response.queued", new Response.Queued(2));
        response("response.cancelled", new Response.Cancelled());
        response("response.released", new Response.Released());
        response(
                "response.refused",
                new Response.Refused(ErrorCode.NOT_AVAILABLE, "held by another"));
        response("response.not_leader", new Response.NotLeader("10.0.0.2:7402"));
        response("response.not_leader.unknown", new Response.NotLeader(""));
        response("response.unknown", new Response.Unknown("leader changed"));
        response(
                "response.session_ended",
                new Response.SessionEnded(SESSION, EndReason.SESSION_EXPIRED));
        response(
                "response.hold_ended",
                new Response.HoldEnded(12, 421_888, EndReason.MAX_HOLD_REACHED));
        response(
                "response.node_status",
                new Response.NodeStatus("n1", "LEADER", 4, "n1", 103, "9f2c", 5, 6, 7));
    }

    private static void request(String name, Request request) {
        FRAMES.put(name, new RequestFrame(0, 0x0A0B, request));
    }

    private static void response(String name, Response response) {
        FRAMES.put(name, new ResponseFrame(0x0A0B, response));
    }

    private static Map<String, String> golden() throws IOException {
        Properties lines = new Properties();
        try (InputStream in =
                GoldenFramesTest.class.getResourceAsStream("/golden/frames.properties")) {
            lines.load(in);
        }
        return lines.stringPropertyNames().stream()
                .collect(Collectors.toMap(name -> name, lines::getProperty));
    }

    private static String encode(Object frame) {
        ByteBuf out = Unpooled.buffer();
        if (frame instanceof RequestFrame request) {
            MessageCodec.encode(request, out);
        } else {
            MessageCodec.encode((ResponseFrame) frame, out);
        }
        return ByteBufUtil.hexDump(out);
    }

    private static Object decode(String name, String hex) {
        ByteBuf in = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex));
        return name.startsWith("request.")
                ? MessageCodec.decodeRequest(in)
                : MessageCodec.decodeResponse(in);
    }

    @Test
    void everyMessageIsWrittenAsEver() throws IOException {
        Map<String, String> written = new LinkedHashMap<>();
        FRAMES.forEach((name, frame) -> written.put(name, encode(frame)));
        assertThat(written).containsExactlyInAnyOrderEntriesOf(golden());
    }

    @Test
    void everyMessageIsReadAsEver() throws IOException {
        Map<String, Object> read = new LinkedHashMap<>();
        golden().forEach((name, hex) -> read.put(name, decode(name, hex)));
        assertThat(read).containsExactlyInAnyOrderEntriesOf(FRAMES);
    }

    @ParameterizedTest
    @EnumSource(Request.Kind.class)
    void everyKindOfRequestHasItsBytesPinned(Request.Kind kind) {
        assertThat(FRAMES.values())
                .filteredOn(RequestFrame.class::isInstance)
                .anyMatch(frame -> ((RequestFrame) frame).request().kind() == kind);
    }

    @ParameterizedTest
    @EnumSource(Response.Kind.class)
    void everyKindOfResponseHasItsBytesPinned(Response.Kind kind) {
        assertThat(FRAMES.values())
                .filteredOn(ResponseFrame.class::isInstance)
                .anyMatch(frame -> ((ResponseFrame) frame).response().kind() == kind);
    }

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void errorCodesReadBackAsThemselves(ErrorCode code) {
        assertThat(ErrorCode.of(code.code())).isEqualTo(code);
    }

    @ParameterizedTest
    @EnumSource(EndReason.class)
    void endReasonsReadBackAsThemselves(EndReason reason) {
        assertThat(EndReason.of(reason.code())).isEqualTo(reason);
    }

    @Test
    void errorCodesAreTheNumbersThatClientsKnow() {
        assertThat(Arrays.stream(ErrorCode.values()).map(code -> code.code() + " " + code))
                .containsExactly(
                        "1 BUSY",
                        "2 MALFORMED",
                        "3 UNSUPPORTED_VERSION",
                        "4 SESSION_EXPIRED",
                        "5 DENIED",
                        "6 INVALID_NAME",
                        "7 INVALID_TTL",
                        "8 NOT_AVAILABLE",
                        "9 ALREADY_HELD",
                        "10 NOT_HOLDER",
                        "11 QUEUE_FULL",
                        "12 CANCELLED",
                        "13 ALREADY_COMPLETED",
                        "14 TOO_MANY_REQUESTS",
                        "15 TOO_MANY_SESSIONS",
                        "16 WRONG_KIND",
                        "17 DEADLOCK",
                        "18 UPGRADE_NOT_ALLOWED");
    }

    @Test
    void aSecretStaysOutOfLogs() {
        assertThat(FRAMES.get("request.attach").toString())
                .doesNotContain(Long.toString(SECRET.high()), Long.toString(SECRET.low()));
    }
}
