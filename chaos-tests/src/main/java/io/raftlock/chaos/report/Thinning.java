package io.raftlock.chaos.report;

import io.raftlock.chaos.history.Event.Result;

import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;

/**
 * Keeps one point of each result for each spot of a picture. Only points that would lie on another
 * one are left out, so no outlier gets lost.
 */
final class Thinning {
    private static final int ROW = 1 << 14;

    private final int spot;
    private final Map<Result, BitSet> taken = new EnumMap<>(Result.class);
    private long points;

    /**
     * @param spot its side in pixels, or 0 to keep all points
     */
    Thinning(int spot) {
        this.spot = spot;
    }

    /** Whether a point is to be drawn; if so its spot is taken. */
    boolean admits(double x, double y, Result result) {
        if (spot > 0) {
            BitSet spots = taken.computeIfAbsent(result, any -> new BitSet());
            int place = spotAt(y) * ROW + spotAt(x);
            if (spots.get(place)) {
                return false;
            }
            spots.set(place);
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
