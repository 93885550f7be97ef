package io.raftlock.chaos.report;

import java.util.BitSet;

/**
 * Keeps one point, the first, for each spot of a picture. Only points that would lie on another one
 * are left out, so no outlier gets lost.
 */
final class Thinning {
    private static final int ROW = 1 << 14;

    private final int spot;
    private final BitSet taken = new BitSet();
    private long points;

    /**
     * @param spot its side in pixels, or 0 to keep all points
     */
    Thinning(int spot) {
        this.spot = spot;
    }

    /** Whether a point is to be drawn; if so its spot is taken. */
    boolean admits(double x, double y) {
        if (spot > 0) {
            int place = spotAt(y) * ROW + spotAt(x);
            if (taken.get(place)) {
                return false;
            }
            taken.set(place);
        }
        points++;
        return true;
    }

    private int spotAt(double pixel) {
        return (int) (Math.max(0, pixel) / spot);
    }

    /** Returns how many points there are. */
    long points() {
        return points;
    }
}
