package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.protocol.ProtocolLimits;
import io.raftlock.protocol.Request;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.stream.Stream;

/** Names of locks are accepted as they are, or refused before anything is sent. */
class NamesTest extends SimulatedClient {

    static Stream<String> goodNames() {
        return Stream.of(
                "x",
                "x".repeat(ProtocolLimits.MAX_NAME_BYTES),
                "/",
                "a//b",
                "../..",
                " ",
                "a\\b",
                "\uD83D\uDD12",
                "caf\u00e9",
                "cafe\u0301");
    }

    @ParameterizedTest
    @MethodSource("goodNames")
    void aGoodNameReachesTheClusterAsItIs(String name) { // E43
        DistributedLock named = client.lock(name);
        LockGrant grant = grant(named);
        assertThat(named.name()).isEqualTo(name);
        assertThat(grant.lockName()).isEqualTo(name);
        assertThat(cluster.isHeld(name)).isTrue();
        List<Request.Acquire> asked = cluster.received(Request.Acquire.class);
        assertThat(asked.get(asked.size() - 1).name().value()).isEqualTo(name);
    }

    static Stream<String> badNames() {
        return Stream.of(
                "",
                "x".repeat(ProtocolLimits.MAX_NAME_BYTES + 1),
                "\u00e9".repeat(ProtocolLimits.MAX_NAME_BYTES / 2 + 1),
                "x".repeat(1 << 20),
                "\0",
                "a\0b",
                "a\nb",
                "\u007f",
                "\uD83D");
    }

    @ParameterizedTest
    @MethodSource("badNames")
    void aBadNameIsRefusedBeforeAnythingIsSent(String name) { // E43
        assertThatThrownBy(() -> client.lock(name))
                .isInstanceOfSatisfying(
                        LockRefusedException.class,
                        refused -> assertThat(refused.code()).isEqualTo(RefusalCode.INVALID_NAME));
        loop.advance(TTL);
        assertThat(cluster.connects).isEmpty();
        assertThat(cluster.sent).isZero();
    }

    @Test
    void twoSpellingsOfOneLetterAreTwoLocks() { // E43
        LockGrant composed = grant(client.lock("caf\u00e9"));
        LockGrant decomposed = grant(client.lock("cafe\u0301"));
        assertThat(composed.isHeld()).isTrue();
        assertThat(decomposed.isHeld()).isTrue();
    }
}
