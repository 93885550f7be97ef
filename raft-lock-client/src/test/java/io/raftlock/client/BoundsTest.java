package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.protocol.ErrorCode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.Random;
import java.util.stream.Stream;

/** What users hand in: accepted and kept as it is, or refused at once. */
class BoundsTest {
    private final RaftLockClient.Builder builder = RaftLockClient.builder();

    @Test
    void aMaxHoldIsRoundedUpToMilliseconds() { // E31
        assertThat(maxHold(Duration.ofNanos(1))).isEqualTo(1);
        assertThat(maxHold(Duration.ofNanos(1_000_000))).isEqualTo(1);
        assertThat(maxHold(Duration.ofNanos(1_000_001))).isEqualTo(2);
        assertThat(maxHold(Duration.ofSeconds(315_360_000))).isEqualTo(315_360_000_000L);
    }

    private static long maxHold(Duration duration) {
        return AcquireOptions.defaults().maxHold(duration).maxHoldMillis();
    }

    @Test
    void optionsAreCopiesThatKeepTheOthers() {
        AcquireOptions one = AcquireOptions.defaults().metadata("a");
        AcquireOptions two = one.maxHold(Duration.ofSeconds(1));
        assertThat(one.maxHoldMillis()).isZero();
        assertThat(two.metadata()).isEqualTo("a");
        assertThat(two.onProgress(place -> {}).maxHoldMillis()).isEqualTo(1_000);
    }

    @Test
    void longTextIsRefused() {
        String longest = "\u00e9".repeat(512);
        AcquireOptions options = AcquireOptions.defaults().metadata(longest);
        assertThat(options.metadata()).isEqualTo(longest);
        assertThatThrownBy(() -> options.metadata(longest + "x"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.clientName(longest + "x"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    static Stream<Duration> badTtls() {
        return Stream.of(
                Duration.ZERO,
                Duration.ofMillis(499),
                Duration.ofDays(1).plusMillis(1),
                Duration.ofSeconds(Long.MAX_VALUE),
                Duration.ofSeconds(-1));
    }

    @ParameterizedTest
    @MethodSource("badTtls")
    void aTimeToLiveOutOfBoundsIsRefused(Duration ttl) { // E31
        assertThatThrownBy(() -> builder.sessionTtl(ttl))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT0.5S");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                "host",
                "host:",
                ":1",
                "host:0",
                "host:65536",
                "host:-1",
                "a:b",
                "::1:7400",
                "host:1x",
                " :1"
            })
    void anEndpointThatIsNoneIsRefused(String endpoint) {
        assertThatThrownBy(() -> builder.endpoints(endpoint))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("host:port");
    }

    @ParameterizedTest
    @ValueSource(strings = {"host:1", "10.0.0.1:7400", "[::1]:65535", "a.example.org:80"})
    void anEndpointIsKeptAsItIs(String endpoint) {
        assertThat(Address.parse(endpoint).orElseThrow()).hasToString(endpoint);
    }

    @Test
    void aClientNeedsAnEndpointAndAPositiveTimeout() {
        assertThatThrownBy(builder::build).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> builder.requestTimeout(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void tokensAreOrderedByTimeOfGrant() {
        FencingToken token = new FencingToken((7L << 12) + 5);
        assertThat(token.logIndex()).isEqualTo(7);
        assertThat(token).isLessThan(new FencingToken(8L << 12));
        assertThatThrownBy(() -> new FencingToken(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void everyRefusalHasACodeForUsers(ErrorCode code) {
        assertThat(RefusalCode.of(code)).isNotNull();
    }

    @Test
    void pausesGrowToTheirBoundWithJitterAndStartAgain() {
        Backoff backoff = new Backoff(100, 1_000, 2, new Random(3));
        long[] bounds = {100, 200, 400, 800, 1_000, 1_000};
        for (long bound : bounds) {
            assertThat(backoff.nextNanos()).isBetween(bound / 2, bound);
        }
        backoff.reset();
        assertThat(backoff.nextNanos()).isBetween(50L, 100L);
    }

    @Test
    void aLeaseThatWasSeenToBeOverStaysOver() { // E26
        long ttl = 1_000_000_000;
        long length = ttl - ttl / 100 - 10_000_000;
        // Its end lies beyond the largest long.
        long sent = Long.MAX_VALUE - 5;
        Lease lease = new Lease(ttl, sent);
        assertThat(lease.isLive(sent + length - 1)).isTrue();
        lease.confirm(sent + 9, sent + 20);
        lease.confirm(sent + 9, sent + 15);
        assertThat(lease.leftNanos(sent + 9)).isEqualTo(length + 11);
        assertThat(lease.suspectInNanos(sent + 20)).isEqualTo(ttl / 3);
        assertThat(lease.suspectInNanos(sent + 20 + ttl / 3)).isZero();
        assertThat(lease.isLive(sent + 20 + length)).isFalse();
        lease.confirm(sent, sent + 100);
        assertThat(lease.isLive(sent)).isFalse();
        assertThat(lease.leftNanos(sent)).isZero();
    }
}
