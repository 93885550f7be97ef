package io.raftlock.chaos.workload;

import java.time.Duration;
import java.util.Arrays;

/** How long each of many like things took. */
public final class Latencies {
    private final long[] sortedNanos;

    public Latencies(long[] nanos) {
        sortedNanos = nanos.clone();
        Arrays.sort(sortedNanos);
    }

    public int count() {
        return sortedNanos.length;
    }

    /**
     * Returns how long the given share of them took at most.
     *
     * @param share above 0 and up to 1
     */
    public Duration quantile(double share) {
        if (sortedNanos.length == 0) {
            throw new IllegalStateException("nothing was timed");
        }
        int rank = (int) Math.ceil(share * sortedNanos.length);
        return Duration.ofNanos(sortedNanos[Math.max(0, rank - 1)]);
    }

    @Override
    public String toString() {
        return "%,d, median %.1f ms, p99 %.1f ms, longest %.1f ms"
                .formatted(count(), millis(0.5), millis(0.99), millis(1));
    }

    private double millis(double share) {
        return quantile(share).toNanos() / 1e6;
    }
}
