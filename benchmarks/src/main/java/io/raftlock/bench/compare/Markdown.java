package io.raftlock.bench.compare;

import io.raftlock.bench.load.Cell;
import io.raftlock.bench.load.Cell.Mode;
import io.raftlock.bench.load.MarkdownTable;
import io.raftlock.bench.peer.PeerSystem;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** Tables of medians, with a row for each system, and what is missing in them. */
final class Markdown {
    private static final double MICROS_PER_MILLI = 1e3;
    private static final double SMALL = 0.1;

    /** Stands where a system cannot do what a column is about. */
    private static final String NOTHING = "-";

    private final Medians medians;
    private final List<Missing> missing;
    private final List<PeerSystem> systems;
    private final List<Cell> cells;

    Markdown(Figures figures, List<PeerSystem> systems, List<Cell> cells) {
        this.medians = new Medians(figures.rows());
        this.missing = figures.missing();
        this.systems = List.copyOf(systems);
        this.cells = List.copyOf(cells);
    }

    /** Returns all tables for which there are cells. */
    String text() {
        StringBuilder text = new StringBuilder();
        table(text, "Cycles a second, locks of their own, blocking", rates(Mode.BLOCKING));
        table(
                text,
                "Acquire in ms, locks of their own, blocking: median / 99 %",
                times(Mode.BLOCKING, row -> row.acquire().p50(), row -> row.acquire().p99()));
        table(
                text,
                "Operations a second, locks of their own: nine renewals, then a release and an acquire",
                rates(Mode.RENEW));
        table(
                text,
                "Renewal in ms: median / 99 %",
                times(Mode.RENEW, row -> row.renewal().p50(), row -> row.renewal().p99()));
        table(text, "Cycles a second, locks of their own, asynchronous", rates(Mode.ASYNC));
        table(text, "Cycles a second, a process for each caller", rates(Mode.PROCS));
        table(
                text,
                "Acquire in ms, a process for each caller: median / 99 %",
                times(Mode.PROCS, row -> row.acquire().p50(), row -> row.acquire().p99()));
        table(text, "Hand-offs a second, one lock", rates(Mode.HOT));
        table(
                text,
                "Release to next owner in ms, one lock: median / 99 %",
                times(Mode.HOT, row -> row.handOff().p50(), row -> row.handOff().p99()));
        table(
                text,
                "Acquire in ms from when it was due, fixed rates: median / 99.9 %",
                times(Mode.OPEN, row -> row.acquire().p50(), row -> row.acquire().p999()));
        table(text, "Cycles a second, fixed rates", rates(Mode.OPEN));
        if (!missing.isEmpty()) {
            text.append("### Missing\n\n");
            missing.forEach(each -> text.append("- ").append(each.sentence()).append('\n'));
            text.append('\n');
        }
        return text.toString();
    }

    /** One column of a table. */
    private record Column(Cell cell, List<String> texts) {}

    private List<Column> rates(Mode mode) {
        return columns(
                mode,
                (system, cell) -> {
                    OptionalDouble own =
                            medians.of(PeerSystem.RAFT_LOCK, cell, Row::cyclesPerSecond);
                    OptionalDouble rate = medians.of(system, cell, Row::cyclesPerSecond);
                    if (rate.isEmpty()) {
                        return none(system, cell);
                    }
                    String text = String.format(Locale.ROOT, "%,.0f", rate.getAsDouble());
                    return system == PeerSystem.RAFT_LOCK || own.isEmpty()
                            ? text
                            : text + factor(own.getAsDouble() / rate.getAsDouble());
                });
    }

    /** With two digits if one would be none. */
    private static String factor(double ratio) {
        return String.format(Locale.ROOT, ratio < SMALL ? " (%.2f x)" : " (%.1f x)", ratio);
    }

    private List<Column> times(Mode mode, ToDoubleFunction<Row> low, ToDoubleFunction<Row> high) {
        return columns(
                mode,
                (system, cell) -> {
                    OptionalDouble lower = medians.of(system, cell, low);
                    OptionalDouble higher = medians.of(system, cell, high);
                    return lower.isEmpty() || higher.isEmpty()
                            ? none(system, cell)
                            : String.format(
                                    Locale.ROOT,
                                    "%.2f / %.2f",
                                    lower.getAsDouble() / MICROS_PER_MILLI,
                                    higher.getAsDouble() / MICROS_PER_MILLI);
                });
    }

    private String none(PeerSystem system, Cell cell) {
        return missing.stream().anyMatch(each -> each.has(system, cell)) ? "missing" : NOTHING;
    }

    private interface Entry {
        String of(PeerSystem system, Cell cell);
    }

    private List<Column> columns(Mode mode, Entry entry) {
        return cells.stream()
                .filter(cell -> cell.mode() == mode)
                .map(
                        cell ->
                                new Column(
                                        cell,
                                        systems.stream()
                                                .map(each -> entry.of(each, cell))
                                                .toList()))
                .toList();
    }

    private void table(StringBuilder text, String title, List<Column> columns) {
        if (columns.isEmpty()) {
            return;
        }
        List<String> head = new ArrayList<>(List.of("system"));
        columns.forEach(column -> head.add(name(column.cell())));
        MarkdownTable table = new MarkdownTable(head);
        for (int i = 0; i < systems.size(); i++) {
            List<String> line = new ArrayList<>(List.of(systems.get(i).label()));
            for (Column column : columns) {
                line.add(column.texts().get(i));
            }
            if (line.stream().skip(1).anyMatch(each -> !each.equals(NOTHING))) {
                table.row(line);
            }
        }
        text.append("### ").append(title).append("\n\n").append(table.text()).append('\n');
    }

    private static String name(Cell cell) {
        return cell.mode() == Mode.OPEN
                ? cell.perSecond() + "/s"
                : Integer.toString(cell.callers());
    }
}
