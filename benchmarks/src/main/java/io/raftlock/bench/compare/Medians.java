package io.raftlock.bench.compare;

import io.raftlock.bench.load.Cell;
import io.raftlock.bench.peer.PeerSystem;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** The medians of all repeats, for each system and cell. */
record Medians(List<Row> rows) {
    Medians {
        rows = List.copyOf(rows);
    }

    /** Returns the median; empty if the system has no such cell. */
    OptionalDouble of(PeerSystem system, Cell cell, ToDoubleFunction<Row> figure) {
        double[] sorted =
                rows.stream()
                        .filter(row -> row.system() == system)
                        .filter(row -> row.cell().equals(cell.toString()))
                        .mapToDouble(figure)
                        .sorted()
                        .toArray();
        if (sorted.length == 0) {
            return OptionalDouble.empty();
        }
        int middle = sorted.length / 2;
        return OptionalDouble.of(
                sorted.length % 2 == 1
                        ? sorted[middle]
                        : (sorted[middle - 1] + sorted[middle]) / 2);
    }
}
