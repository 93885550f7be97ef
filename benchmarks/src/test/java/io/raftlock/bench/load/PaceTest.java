package io.raftlock.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

class PaceTest {
    @Test
    void momentsThatAreMissedAreGivenAsTheyWere() {
        long start = System.nanoTime() - TimeUnit.SECONDS.toNanos(1);
        Pace pace = new Pace.ByClock(1_000, start);
        assertThat(pace.next()).isEqualTo(start);
        assertThat(pace.next()).isEqualTo(start + TimeUnit.MILLISECONDS.toNanos(1));
    }

    @Test
    void whoIsEarlyWaits() {
        long start = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(30);
        assertThat(new Pace.ByClock(10, start).next()).isEqualTo(start);
        assertThat(System.nanoTime() - start).isNotNegative();
    }
}
