package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

@Timeout(30)
class AlarmTest {
    private static final long SOON = Duration.ofMillis(20).toNanos();

    private final LinkedBlockingQueue<Long> rung = new LinkedBlockingQueue<>();
    private final Alarm alarm = new Alarm(() -> rung.add(System.nanoTime()), "alarm");

    @Test
    void ringsAtItsTimeAndOnce() throws Exception {
        alarm.start();
        for (int i = 0; i < 5; i++) {
            long at = System.nanoTime() + SOON;
            alarm.set(at);
            Long when = rung.poll(10, TimeUnit.SECONDS);
            assertThat(when).isNotNull();
            assertThat(when - at).isNotNegative();
        }
        assertThat(rung.poll(3 * SOON, TimeUnit.NANOSECONDS)).isNull();
        alarm.end();
    }

    @Test
    void aTimeThatHasPassedIsNow() throws Exception {
        alarm.start();
        alarm.set(System.nanoTime() - SOON);
        assertThat(rung.poll(10, TimeUnit.SECONDS)).isNotNull();
        alarm.end();
    }

    @Test
    void theTimeThatWasSetFirstStands() throws Exception {
        alarm.start();
        long first = System.nanoTime() + SOON;
        alarm.set(first);
        alarm.set(first + Duration.ofHours(1).toNanos());
        assertThat(rung.poll(10, TimeUnit.SECONDS)).isNotNull();
        alarm.end();
    }

    @Test
    void doesNotRingAfterItsEnd() throws Exception {
        alarm.start();
        alarm.set(System.nanoTime() + SOON);
        alarm.end();
        rung.clear();
        alarm.set(System.nanoTime());
        assertThat(rung.poll(3 * SOON, TimeUnit.NANOSECONDS)).isNull();
    }
}
