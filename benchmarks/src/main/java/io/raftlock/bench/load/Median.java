package io.raftlock.bench.load;

/** The middle of some figures. */
public final class Median {
    private Median() {}

    /**
     * Returns the one in the middle, or the mean of the two there.
     *
     * @param sorted in ascending order, at least one
     */
    public static double of(double[] sorted) {
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
