package io.raftlock.chaos.run;

import io.raftlock.chaos.fault.Victim;
import io.raftlock.chaos.node.ChaosNode;

import java.time.Duration;

/** A node as faults see it. Owned by the driver's thread. */
final class NodeSeat implements Victim {
    /** A node that was made to end itself may take so long to do it. */
    private static final long LATE_END_NANOS = 5_000_000_000L;

    private final ChaosNode node;
    private long excusedUntilNanos;
    private boolean isExcused;

    NodeSeat(ChaosNode node) {
        this.node = node;
    }

    ChaosNode node() {
        return node;
    }

    /** Goes on with what takes time; called often. */
    void tick(long nowNanos) {
        if (isExcused && excusedUntilNanos != 0 && nowNanos - excusedUntilNanos >= 0) {
            isExcused = false;
            node.excuse(false);
        }
        node.tick();
    }

    @Override
    public String name() {
        return node.name();
    }

    @Override
    public boolean isRunning() {
        return node.isRunning();
    }

    @Override
    public long pid() {
        return node.pid();
    }

    @Override
    public void kill() {
        node.kill();
    }

    @Override
    public void stop() {
        node.terminate();
    }

    @Override
    public int awaitExit(Duration bound) {
        return node.awaitExit(bound);
    }

    @Override
    public void start() {
        node.start();
    }

    @Override
    public void mayEnd(boolean expected) {
        if (expected) {
            isExcused = true;
            excusedUntilNanos = 0;
            node.excuse(true);
        } else {
            excusedUntilNanos = System.nanoTime() + LATE_END_NANOS;
        }
    }
}
