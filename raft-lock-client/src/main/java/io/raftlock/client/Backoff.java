package io.raftlock.client;

import java.util.random.RandomGenerator;

/** Pauses that grow from one to the next, each drawn from the upper half of its length. */
final class Backoff {
    private final double firstNanos;
    private final double longestNanos;
    private final double growth;
    private final RandomGenerator random;
    private double next;

    Backoff(double firstNanos, double longestNanos, double growth, RandomGenerator random) {
        this.firstNanos = firstNanos;
        this.longestNanos = longestNanos;
        this.growth = growth;
        this.random = random;
        this.next = firstNanos;
    }

    long nextNanos() {
        double pause = next;
        next = Math.min(longestNanos, next * growth);
        return (long) (pause * (1 + random.nextDouble()) / 2);
    }

    void reset() {
        next = firstNanos;
    }
}
