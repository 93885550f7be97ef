package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.JRaftUtils;
import com.alipay.sofa.jraft.util.timer.Timeout;
import com.alipay.sofa.jraft.util.timer.Timer;
import com.alipay.sofa.jraft.util.timer.TimerTask;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

class EngineTimersTest {
    @Test
    void theEngineUsesThem() {
        assertThat(JRaftUtils.raftTimerFactory()).isInstanceOf(EngineTimers.class);
    }

    @Test
    void aTimerRunsWhatIsDueAndNotWhatWasCancelled() throws Exception {
        Timer timer = new EngineTimers().createTimer("test");
        CountDownLatch due = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        Timeout other = timer.newTimeout(at -> cancelled.countDown(), 20, TimeUnit.MILLISECONDS);
        assertThat(other.cancel()).isTrue();
        timer.newTimeout(at -> due.countDown(), 20, TimeUnit.MILLISECONDS);
        assertThat(due.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(cancelled.await(50, TimeUnit.MILLISECONDS)).isFalse();
        timer.stop();
    }

    @Test
    void aSilentLeaderIsLookedForThreeTimesInAnElectionTimeout() {
        List<Duration> delays = new ArrayList<>();
        Timer timer = new EngineTimers().createTimer("test");
        Timer recording =
                new Timer() {
                    @Override
                    public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
                        delays.add(Duration.of(delay, unit.toChronoUnit()));
                        return timer.newTimeout(task, delay, unit);
                    }

                    @Override
                    public Set<Timeout> stop() {
                        return timer.stop();
                    }
                };
        new EngineTimers.ElectionLooks(recording).newTimeout(at -> {}, 900, TimeUnit.MILLISECONDS);
        assertThat(delays).containsExactly(Duration.ofMillis(300));
        recording.stop();
        Timer elections = new EngineTimers().getElectionTimer(false, "test");
        assertThat(elections).isInstanceOf(EngineTimers.ElectionLooks.class);
        elections.stop();
    }
}
