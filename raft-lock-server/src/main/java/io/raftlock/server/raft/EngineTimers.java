package io.raftlock.server.raft;

import com.alipay.sofa.jraft.util.SPI;
import com.alipay.sofa.jraft.util.timer.DefaultRaftTimerFactory;
import com.alipay.sofa.jraft.util.timer.DefaultTimer;
import com.alipay.sofa.jraft.util.timer.Timer;

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
}
