package io.raftlock.server.raft;

import com.alipay.sofa.jraft.util.SPI;
import com.alipay.sofa.jraft.util.timer.DefaultRaftTimerFactory;
import com.alipay.sofa.jraft.util.timer.DefaultTimer;
import com.alipay.sofa.jraft.util.timer.Timeout;
import com.alipay.sofa.jraft.util.timer.Timer;
import com.alipay.sofa.jraft.util.timer.TimerTask;

import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Timers for the engine, which finds this class by its name in {@code META-INF/services}. The
 * engine's own timers wake up a thousand times a second, also when nothing is to be done; these
 * sleep until something is due.
 */
@SPI(priority = 1)
public final class EngineTimers extends DefaultRaftTimerFactory {
    @Override
    public Timer createTimer(String name) {
        return new DefaultTimer(1, name);
    }

    @Override
    public Timer getElectionTimer(boolean shared, String name) {
        return new ElectionLooks(super.getElectionTimer(shared, name));
    }

    /**
     * Looks more often whether the leader has been silent for an election timeout, which is all
     * that this timer is for. By itself it looks once in a timeout: it would see that up to one
     * later, and one more after a pre-vote that came too early for another node.
     */
    record ElectionLooks(Timer timer) implements Timer {
        /** More would leave a node that asks in vain too little time to let another one ask. */
        static final int IN_A_TIMEOUT = 3;

        @Override
        public Timeout newTimeout(TimerTask look, long delay, TimeUnit unit) {
            return timer.newTimeout(
                    look, unit.toMillis(delay) / IN_A_TIMEOUT, TimeUnit.MILLISECONDS);
        }

        @Override
        public Set<Timeout> stop() {
            return timer.stop();
        }
    }
}
