package io.raftlock.server.session;

/**
 * Monotonic time without the stretches in which this process did not run (a long collection, a stop
 * signal, a stalled machine). Sessions are judged by it: keep-alives that arrived in such a stretch
 * could not be read, so it must not count. The tick thread writes it, any thread reads it.
 */
public final class LeaderTime {
    /**
     * What the last tick found.
     *
     * @param missedNanos how much of the monotonic time does not count
     * @param aheadNanos how far leader time may go before the next tick: what is read after a
     *     stretch and before the tick that finds it must not be dated to its end
     */
    private record Tick(long missedNanos, long aheadNanos) {}

    private volatile Tick last;

    /** Starts with leader time equal to the monotonic clock. */
    public LeaderTime(long nowNanos) {
        last = new Tick(0, nowNanos);
    }

    /** Returns the leader time at that moment of the monotonic clock. */
    public long at(long nowNanos) {
        Tick tick = last;
        long counted = nowNanos - tick.missedNanos;
        return counted - tick.aheadNanos > 0 ? tick.aheadNanos : counted;
    }

    /**
     * On the tick thread: so much time was missed since the last tick, the next is due in so much.
     */
    void ticked(long nowNanos, long missedNanos, long nextTickNanos) {
        long missed = last.missedNanos + missedNanos;
        last = new Tick(missed, nowNanos - missed + nextTickNanos);
    }
}
