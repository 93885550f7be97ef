package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.protocol.Request;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Odd times to wait and to hold: each does what its documentation says, in every unit. */
class WaitsAndHoldsTest extends SimulatedClient {
    private static final Duration ENDLESS = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
    private static final Duration TEN_YEARS = Duration.ofDays(3_650);

    static Stream<Arguments> waitsAndHolds() {
        List<Duration> waits =
                List.of(
                        Duration.ofSeconds(Long.MIN_VALUE),
                        Duration.ofNanos(-1),
                        Duration.ZERO,
                        Duration.ofNanos(1),
                        ENDLESS);
        // Zero stands for none.
        List<Duration> holds =
                List.of(
                        Duration.ZERO,
                        Duration.ofNanos(1),
                        Duration.ofMillis(1),
                        Duration.ofSeconds(1),
                        TEN_YEARS);
        return waits.stream().flatMap(wait -> holds.stream().map(hold -> Arguments.of(wait, hold)));
    }

    private static AcquireOptions options(Duration hold) {
        AcquireOptions none = AcquireOptions.defaults();
        return hold.isZero() ? none : none.maxHold(hold);
    }

    @ParameterizedTest
    @MethodSource("waitsAndHolds")
    void aFreeLockIsGranted(Duration wait, Duration hold) { // E31
        openSession();
        CompletableFuture<Optional<LockGrant>> tried = lock.tryAcquireAsync(wait, options(hold));
        loop.advance(ROUND_TRIP);
        boolean overBeforeTheAnswer =
                wait.equals(Duration.ofNanos(1))
                        || (!hold.isZero() && hold.compareTo(ROUND_TRIP) < 0);
        assertThat(valueOf(tried).isEmpty()).isEqualTo(overBeforeTheAnswer);
        valueOf(tried).ifPresent(grant -> assertRemains(grant, hold));
        loop.advance(ROUND_TRIP);
        assertThat(cluster.isHeld("k")).isEqualTo(valueOf(tried).isPresent());
        loop.advance(TTL.multipliedBy(2));
        boolean lasts = valueOf(tried).isPresent() && !hold.equals(Duration.ofSeconds(1));
        assertThat(valueOf(tried).map(LockGrant::isHeld).orElse(false)).isEqualTo(lasts);
        assertThat(cluster.isHeld("k")).isEqualTo(lasts);
    }

    private static void assertRemains(LockGrant grant, Duration hold) {
        assertThat(grant.isHeld()).isTrue();
        Duration most = hold.isZero() || hold.compareTo(TTL) > 0 ? TTL : hold;
        assertThat(grant.remaining())
                .isLessThanOrEqualTo(most)
                .isGreaterThan(most.multipliedBy(97).dividedBy(100));
    }

    @ParameterizedTest
    @MethodSource("waitsAndHolds")
    void aLockThatIsTakenIsWaitedForAsLongAsSaid(Duration wait, Duration hold) { // E31
        openSession();
        cluster.strangerLocks("k");
        CompletableFuture<Optional<LockGrant>> tried = lock.tryAcquireAsync(wait, options(hold));
        loop.advance(ROUND_TRIP);
        if (wait.equals(ENDLESS)) {
            loop.advance(Duration.ofHours(1));
            assertThat(tried).isNotDone();
            assertThat(cluster.waiters("k")).isEqualTo(1);
            tried.cancel(true);
        } else {
            assertThat(valueOf(tried)).isEmpty();
        }
        loop.advance(ROUND_TRIP);
        assertThat(cluster.waiters("k")).isZero();
    }

    @ParameterizedTest
    @EnumSource(TimeUnit.class)
    void aThreadsWaitIsTheSameInEveryUnit(TimeUnit unit) throws Exception { // E31
        try (Caller thread = new Caller(loop)) {
            for (long free : new long[] {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE}) {
                assertThat(thread.call(() -> lock.tryLock(free, unit))).isTrue();
                thread.run(lock::unlock);
            }
            cluster.strangerLocks("k");
            for (long taken : new long[] {Long.MIN_VALUE, -1, 0}) {
                long start = loop.nanoTime();
                assertThat(thread.call(() -> lock.tryLock(taken, unit))).isFalse();
                assertThat(loop.nanoTime() - start).isLessThan(ROUND_TRIP.toNanos() * 2);
            }
            FutureTask<Boolean> one = thread.start(() -> lock.tryLock(1, unit));
            loop.advance(Duration.ofNanos(unit.toNanos(1)));
            assertThat(thread.finishNow(one)).isFalse();
            loop.advance(ROUND_TRIP.multipliedBy(2));
            assertThat(cluster.waiters("k")).isZero();
        }
    }

    static Stream<Duration> badHolds() {
        return Stream.of(
                Duration.ofSeconds(Long.MIN_VALUE),
                Duration.ofSeconds(-1),
                Duration.ofNanos(-1),
                Duration.ZERO,
                TEN_YEARS.plusNanos(1),
                ENDLESS);
    }

    @ParameterizedTest
    @MethodSource("badHolds")
    void aHoldThatIsNotPositiveOrMoreThanTenYearsIsRefusedAtOnce(Duration hold) { // E31
        AcquireOptions options = AcquireOptions.defaults();
        assertThatThrownBy(() -> options.maxHold(hold))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {500, 86_400_000})
    void aSessionLivesAsLongAsItWasAskedToInMilliseconds(long ttlMillis) { // E31
        RaftLockClient asking = build(builder().sessionTtl(Duration.ofMillis(ttlMillis)), 4);
        CompletableFuture<LockGrant> grant = asking.lock("k").acquireAsync();
        timeUntilDone(grant, Duration.ofMillis(400));
        List<Request.OpenSession> opens = cluster.received(Request.OpenSession.class);
        assertThat(opens).isNotEmpty().allMatch(open -> open.ttlMillis() == ttlMillis);
        assertThat(valueOf(grant).remaining())
                .isLessThan(Duration.ofMillis(ttlMillis))
                .isGreaterThan(Duration.ofMillis(ttlMillis * 95 / 100));
    }
}
