package io.raftlock.chaos.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Where moments are in a picture.
 *
 * @param run the time that is shown
 * @param left where it begins, in pixels
 * @param right where it ends
 */
record TimeAxis(Span run, int left, int right) {
    private static final double[] STEPS = {
        0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600
    };
    private static final int MOST_TICKS = 16;
    private static final int NANOS_PER_SECOND = 1_000_000_000;

    double x(long atNanos) {
        double share = (double) (atNanos - run.fromNanos()) / Math.max(1, run.nanos());
        return left + Math.min(1, Math.max(0, share)) * (right - left);
    }

    /** Returns the moments that get a label. */
    List<Long> ticks() {
        double step = step();
        List<Long> ticks = new ArrayList<>();
        for (int at = 0; at * step <= run.seconds(); at++) {
            ticks.add(run.fromNanos() + (long) (at * step * NANOS_PER_SECOND));
        }
        return ticks;
    }

    private double step() {
        for (double step : STEPS) {
            if (run.seconds() / step <= MOST_TICKS) {
                return step;
            }
        }
        return run.seconds() / MOST_TICKS;
    }
}
