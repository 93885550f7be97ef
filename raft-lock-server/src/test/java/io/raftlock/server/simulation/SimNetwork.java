package io.raftlock.server.simulation;

/** Loses, delays, reorders and repeats messages between clients and nodes. */
final class SimNetwork {
    private final Timeline timeline;
    private final Chance chance;
    private long lossyUntilNanos;
    private boolean calm;

    SimNetwork(Timeline timeline, Chance chance) {
        this.timeline = timeline;
        this.chance = chance;
    }

    void loseMost(long millis) {
        lossyUntilNanos = timeline.nowNanos() + millis * 1_000_000;
    }

    /** From now on every message arrives, once, soon. */
    void calmDown() {
        calm = true;
    }

    void send(Runnable arrival) {
        if (calm) {
            timeline.in(chance.millisBetween(0.1, 3), arrival);
            return;
        }
        boolean lossy = timeline.nowNanos() < lossyUntilNanos;
        if (!chance.percent(lossy ? 80 : 3)) {
            timeline.in(delayNanos(), arrival);
        }
        if (chance.percent(3)) {
            timeline.in(delayNanos(), arrival);
        }
    }

    private long delayNanos() {
        if (chance.percent(0.5)) {
            return chance.millisBetween(0, 15_000);
        }
        return chance.percent(5) ? chance.millisBetween(0, 800) : chance.millisBetween(0.1, 5);
    }
}
