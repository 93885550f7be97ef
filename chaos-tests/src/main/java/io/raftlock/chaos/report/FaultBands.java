package io.raftlock.chaos.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where the faults are in a picture: in rows, so that none covers another or its label.
 *
 * @param rows that were needed
 */
record FaultBands(List<Band> bands, int rows) {
    static final int ROW_HEIGHT = 18;

    private static final int MOST_ROWS = 10;
    private static final int PADDING = 3;
    private static final int LEAST_WIDTH = 2;

    /**
     * One fault.
     *
     * @param labelX where its label begins, if it has one
     */
    record Band(FaultSpan fault, double fromX, double toX, int row, String label, double labelX) {}

    static FaultBands of(List<FaultSpan> faults, TimeAxis time, Canvas canvas) {
        double[] freeFrom = new double[MOST_ROWS];
        Arrays.fill(freeFrom, Double.NEGATIVE_INFINITY);
        List<Band> bands = new ArrayList<>();
        for (FaultSpan fault : faults) {
            bands.add(place(fault, time, canvas.textWidth(fault.label()), freeFrom));
        }
        int rows = bands.stream().mapToInt(Band::row).max().orElse(-1) + 1;
        return new FaultBands(bands, rows);
    }

    /** A label that finds no room is left out; a fault is not. */
    private static Band place(FaultSpan fault, TimeAxis time, int labelWidth, double[] freeFrom) {
        double fromX = time.x(fault.span().fromNanos());
        double toX = Math.max(fromX + LEAST_WIDTH, time.x(fault.span().toNanos()));
        double labelX = Math.min(fromX + PADDING, time.right() - labelWidth);
        double leftX = Math.min(fromX, labelX - PADDING);
        int row = firstFree(freeFrom, leftX);
        if (row >= 0) {
            freeFrom[row] = Math.max(toX, labelX + labelWidth + PADDING);
            return new Band(fault, fromX, toX, row, fault.label(), labelX);
        }
        int bare = Math.max(firstFree(freeFrom, fromX), 0);
        freeFrom[bare] = Math.max(freeFrom[bare], toX);
        return new Band(fault, fromX, toX, bare, "", fromX);
    }

    private static int firstFree(double[] freeFrom, double fromX) {
        for (int row = 0; row < freeFrom.length; row++) {
            if (freeFrom[row] <= fromX) {
                return row;
            }
        }
        return -1;
    }
}
