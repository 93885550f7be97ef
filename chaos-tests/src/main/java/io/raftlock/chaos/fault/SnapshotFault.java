package io.raftlock.chaos.fault;

import java.util.List;

/**
 * Keeps a node down until the others no longer have the part of the log that it lacks, so that it
 * has to be sent a snapshot. Owned by the driver's thread.
 */
final class SnapshotFault implements Active {
    /** What is left of the time is for the node to come back and be sent the snapshot. */
    private static final double DOWN_SHARE = 0.45;

    private final Victim victim;
    private final NodeFacts facts;
    private final long downNanos;
    private final long appliedBefore;
    private final Active killed;
    private long beganNanos;
    private boolean isBack;

    SnapshotFault(Victim victim, NodeFacts facts, int holdMillis) {
        this.victim = victim;
        this.facts = facts;
        downNanos = (long) (holdMillis * 1_000_000L * DOWN_SHARE);
        appliedBefore = facts.appliedIndex(victim.name());
        killed = ProcessFaults.kill(List.of(victim));
    }

    @Override
    public void tick(long nowNanos) {
        if (beganNanos == 0) {
            beganNanos = nowNanos;
        }
        if (!isBack && nowNanos - beganNanos >= downNanos) {
            comeBack();
        }
    }

    private String comeBack() {
        isBack = true;
        return killed.end();
    }

    @Override
    public String end() {
        if (!isBack) {
            comeBack();
        }
        long loaded = facts.loadedSnapshot(victim.name());
        return loaded > appliedBefore
                ? "left at entry %d and was sent a snapshot of entry %d"
                        .formatted(appliedBefore, loaded)
                : "";
    }
}
