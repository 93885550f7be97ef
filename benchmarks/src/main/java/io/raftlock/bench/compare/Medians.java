package io.raftlock.bench.compare;

import io.raftlock.bench.load.Cell;
import io.raftlock.bench.load.Median;
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
        return sorted.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(Median.of(sorted));
    }
}
