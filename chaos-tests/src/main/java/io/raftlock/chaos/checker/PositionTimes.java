package io.raftlock.chaos.checker;

import io.raftlock.chaos.checker.LogPlaces.Placed;

import java.util.List;

/**
 * Between which moments a position of the log came to be: the log has no times of its own, but each
 * call that has a place in it was answered after that place was there.
 */
final class PositionTimes {
    private final long[] positions;
    private final long[] earliestReturn;

    /** Reads the places of all calls, in the order of their positions. */
    PositionTimes(List<Placed> inOrder) {
        int count = inOrder.size();
        positions = new long[count];
        earliestReturn = new long[count + 1];
        earliestReturn[count] = Long.MAX_VALUE;
        for (int i = count - 1; i >= 0; i--) {
            Placed placed = inOrder.get(i);
            positions[i] = placed.position();
            earliestReturn[i] = Math.min(earliestReturn[i + 1], placed.settledNanos());
        }
    }

    /**
     * Returns a moment by which the command at that position was applied, or the end of time if no
     * later place has an answer.
     */
    long appliedByNanos(long position) {
        int from = 0;
        int to = positions.length;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (positions[middle] > position) {
                to = middle;
            } else {
                from = middle + 1;
            }
        }
        return earliestReturn[from];
    }
}
