package io.raftlock.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.stream.Stream;

class LockNameTest {
    private static final String COMPOSED = "caf\u00e9";
    private static final String DECOMPOSED = "cafe\u0301";

    static Stream<String> goodNames() {
        return Stream.of(
                "a",
                "/",
                "a//b",
                " ",
                "a b",
                "..",
                "\uD83D\uDD12",
                COMPOSED,
                DECOMPOSED,
                "x".repeat(ProtocolLimits.MAX_NAME_BYTES),
                "\u00e9".repeat(ProtocolLimits.MAX_NAME_BYTES / 2),
                "\uD83D\uDD12".repeat(ProtocolLimits.MAX_NAME_BYTES / 4));
    }

    @ParameterizedTest
    @MethodSource("goodNames")
    void aGoodNameGoesOverTheWireAsItIs(String text) { // E43
        LockName name = new LockName(text);
        Request request = new Request.Release(new SessionId(1), 2, 1, name, 3, 4);
        ByteBuf bytes = Unpooled.buffer();
        MessageCodec.encode(new RequestFrame(0, 1, request), bytes);
        assertThat(MessageCodec.decodeRequest(bytes).request()).isEqualTo(request);
        assertThat(name).hasToString(text);
    }

    @Test
    void twoSpellingsOfOneLetterAreTwoNames() { // E43
        assertThat(new LockName(COMPOSED)).isNotEqualTo(new LockName(DECOMPOSED));
    }

    @Test
    void theEmptyNameIsRefused() { // E43
        assertThatThrownBy(() -> new LockName(""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least one character");
    }

    static Stream<String> longNames() {
        return Stream.of(
                "x".repeat(ProtocolLimits.MAX_NAME_BYTES + 1),
                "\u00e9".repeat(ProtocolLimits.MAX_NAME_BYTES / 2 + 1),
                "\uD83D\uDD12".repeat(ProtocolLimits.MAX_NAME_BYTES / 4) + "x",
                "x".repeat(1 << 20));
    }

    @ParameterizedTest
    @MethodSource("longNames")
    void aLongNameIsRefusedWithItsLength(String text) { // E43
        assertThatThrownBy(() -> new LockName(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 512 bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\0", "a\0b", "a\nb", "\u007f", "\u0085", "a\tb"})
    void controlCharactersAreRefused(String text) { // E43
        assertThatThrownBy(() -> new LockName(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("control characters");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\uD83D", "\uDD12", "a\uDD12\uD83D", "\uD83Dx"})
    void halfACharacterIsRefused(String text) { // E43
        assertThatThrownBy(() -> new LockName(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("half a pair");
    }

    @Test
    void aBadNameOnTheWireIsNoRequest() { // E43
        ByteBuf bytes = Unpooled.buffer();
        Request request = new Request.Release(new SessionId(1), 2, 1, new LockName("ab"), 3, 4);
        MessageCodec.encode(new RequestFrame(0, 1, request), bytes);
        int nameAt = bytes.writerIndex() - 2 * Long.BYTES - 1;
        bytes.setByte(nameAt, 0);
        assertThatThrownBy(() -> MessageCodec.decodeRequest(bytes))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("lock name");
    }
}
