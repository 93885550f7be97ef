package io.raftlock.bench.compare;

import io.raftlock.bench.load.Cell;
import io.raftlock.bench.peer.PeerSystem;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Cells of a system that is there, for which one turn gave no figures.
 *
 * @param repeat which of the repeats, from 1
 * @param reason in one line
 */
record Missing(PeerSystem system, int repeat, List<Cell> cells, String reason) {
    Missing {
        cells = List.copyOf(cells);
    }

    boolean has(PeerSystem other, Cell cell) {
        return system == other && cells.contains(cell);
    }

    /** Returns what is missing and why, in one line. */
    String sentence() {
        return "%s, repeat %d, no figure for %s: %s"
                .formatted(
                        system.label(),
                        repeat,
                        cells.stream().map(Cell::toString).collect(Collectors.joining(", ")),
                        reason);
    }
}
