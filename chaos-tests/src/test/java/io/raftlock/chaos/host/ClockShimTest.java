package io.raftlock.chaos.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

class ClockShimTest {
    private static final List<String> WAITS =
            List.of("sleep", "wait", "park", "park-until", "await", "schedule");
    private static final long MILLION = 1_000_000;
    private static final long LATE_MILLIS = 20;
    private static final int TRIES = 10;

    @TempDir private static Path tools;
    private static NativeTools compiled;
    @TempDir private Path folder;

    @BeforeAll
    static void compile() {
        Machine.needs(Capability.SHIMS);
        compiled = NativeTools.compile(tools);
    }

    @Test
    void aProcessSeesTheWallClockThatItIsGivenAndWaitsAsLongAsItMeansTo() {
        ClockShim shim = new ClockShim(compiled, folder.resolve("clock"));
        try (ChildJvm child = ChildJvm.withShims(shim)) {
            assertThat(child.askNumber("wall")).isCloseTo(now(), within(1_000));
            assertThat(shim.reads()).isZero();

            for (long seconds : List.of(300L, -5L)) {
                shim.wallOffset(Duration.ofSeconds(seconds));
                assertThat(child.askNumber("wall"))
                        .isCloseTo(now() + seconds * 1_000, within(1_000));
                assertThat(child.askNumber("nanos"))
                        .isCloseTo(System.nanoTime(), within(1_000 * MILLION));
                WAITS.forEach(wait -> assertLasts(child, wait, 60, 60));
            }
            assertThat(shim.reads()).isPositive();

            shim.wallOffset(Duration.ZERO);
            assertThat(child.askNumber("wall")).isCloseTo(now(), within(1_000));
        }
    }

    @Test
    void aProcessWithAFastClockWaitsLessAndStillKnowsTheTrueTime() {
        ClockShim shim = new ClockShim(compiled, folder.resolve("clock"));
        try (ChildJvm child = ChildJvm.withShims(shim)) {
            assertTrueTime(child);
            shim.monotonicRate(500_000);
            assertTrueTime(child);
            List.of("sleep", "wait", "park", "await", "schedule")
                    .forEach(wait -> assertLasts(child, wait, 120, 80));
            shim.monotonicJump(Duration.ofSeconds(100));
            assertTrueTime(child);
            assertThat(child.askNumber("nanos") - System.nanoTime())
                    .isGreaterThan(100_000 * MILLION);
            shim.monotonicRate(-500_000);
            assertTrueTime(child);
            List.of("sleep", "await").forEach(wait -> assertLasts(child, wait, 60, 120));
            shim.monotonicRate(0);
            assertTrueTime(child);
            assertThat(child.askNumber("nanos") - System.nanoTime())
                    .as("the clock is not set back when its rate is")
                    .isGreaterThan(100_000 * MILLION);
        }
    }

    @Test
    void theMonotonicClockNeverStepsBackWhateverIsDoneToItsRate() throws Exception {
        ClockShim shim = new ClockShim(compiled, folder.resolve("clock"));
        try (ChildJvm child = ChildJvm.withShims(shim)) {
            child.tell("worst-step 800");
            long end = System.nanoTime() + 700 * MILLION;
            int changes = 0;
            while (System.nanoTime() < end) {
                shim.monotonicRate(changes % 2 == 0 ? 2_000_000 : -900_000);
                shim.monotonicJump(Duration.ofNanos(changes % 3));
                changes++;
                if (changes % 10 == 0) {
                    Thread.sleep(1);
                }
            }
            assertThat(Long.parseLong(child.answer())).isNotNegative();
            assertThat(changes).isGreaterThan(100);
            assertTrueTime(child);
        }
    }

    @Test
    void whatWouldStepBackOrBeTooFarIsRefused() {
        ClockShim shim = new ClockShim(compiled, folder.resolve("clock"));
        assertThatThrownBy(() -> shim.monotonicJump(Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> shim.monotonicRate(-1_000_000))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> shim.wallOffset(Duration.ofDays(-4_000)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void withoutAShimTrueTimeIsTheJvmsOwn() {
        long before = System.nanoTime();
        long middle = TrueTime.nanos();
        assertThat(middle).isBetween(before, System.nanoTime());
    }

    /** The child's answer was true at some moment between the question and the answer. */
    private static void assertTrueTime(ChildJvm child) {
        for (int i = 0; i < 20; i++) {
            long before = System.nanoTime();
            long said = child.askNumber("true");
            long after = System.nanoTime();
            assertThat(said).isBetween(before - 10, after + 10);
        }
    }

    /** Never too short; on a busy machine a wait may be late, but not each time. */
    private static void assertLasts(ChildJvm child, String wait, long asked, long trueMillis) {
        long shortest = Long.MAX_VALUE;
        for (int i = 0; i < TRIES && shortest > (trueMillis + LATE_MILLIS) * MILLION; i++) {
            shortest = Math.min(shortest, child.askNumber(wait + " " + asked));
        }
        assertThat(shortest)
                .as(wait)
                .isBetween((trueMillis - 2) * MILLION, (trueMillis + LATE_MILLIS) * MILLION);
    }

    private static long now() {
        return System.currentTimeMillis();
    }

    private static Offset<Long> within(long distance) {
        return Offset.offset(distance);
    }
}
