package io.raftlock.bench.scale;

/** How long something took. */
final class Seconds {
    private Seconds() {}

    static double since(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e9;
    }
}
