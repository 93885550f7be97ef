package io.raftlock.bench.compare;

import java.util.List;

/** What a comparison found, and what it did not find though the system was there. */
record Figures(List<Row> rows, List<Missing> missing) {
    Figures {
        rows = List.copyOf(rows);
        missing = List.copyOf(missing);
    }
}
