package io.raftlock.chaos.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Random;

class ClockLineTest {
    private static final long YEAR = Duration.ofDays(365).toNanos();

    @Test
    void theTrueTimeIsFoundAgainHoweverLongTheLineIs() {
        Random random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            long base = random.nextLong(YEAR);
            long ppm = random.nextLong(-900_000, 9_000_000);
            ClockLine line = new ClockLine(base, random.nextLong(-YEAR, YEAR), ppm);
            long now = base + random.nextLong(YEAR);
            assertThat(line.trueAt(line.shownAt(now))).isBetween(now - 10, now + 10);
        }
    }

    @Test
    void aLineGoesOnWhereTheOneBeforeItEnded() {
        ClockLine line = new ClockLine(0, 0, 0);
        long now = 1_000;
        Random random = new Random(2);
        for (int i = 0; i < 10_000; i++) {
            now += random.nextLong(1_000_000_000);
            ClockLine next = line.withRate(now, random.nextLong(-900_000, 9_000_000));
            assertThat(next.shownAt(now)).isEqualTo(line.shownAt(now));
            assertThat(next.shownAt(now + 1_000)).isGreaterThan(next.shownAt(now));
            assertThat(next.withJump(now, 7).shownAt(now)).isEqualTo(next.shownAt(now) + 7);
            line = next;
        }
    }
}
