package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.JRaftUtils;
import com.alipay.sofa.jraft.util.timer.Timeout;
import com.alipay.sofa.jraft.util.timer.Timer;

import org.junit.jupiter.api.Test;

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
}
