package io.raftlock.bench.compare;

import io.raftlock.bench.load.Cell;
import io.raftlock.bench.peer.PeerSystem;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Runs all systems in turn, and again from the start for each repeat, so that what the machine does
 * in the course of an hour falls on all alike. Each repeat begins with another system.
 */
final class Comparison {
    private final Settings settings;
    private final Path folder;
    private final PrintStream out;

    /**
     * How long and how often. Times are in seconds.
     *
     * @param heat load before the first cell of a system, for compilers and caches
     * @param warmUp load before each measurement
     * @param clients with a session and connections each, that the callers are spread over
     */
    record Settings(
            List<PeerSystem> systems,
            List<Cell> cells,
            int repeats,
            int heat,
            int warmUp,
            int measure,
            int clients) {
        Settings {
            systems = List.copyOf(systems);
            cells = List.copyOf(cells);
        }
    }

    /**
     * @param folder for the servers' data and the figures
     * @param out for the progress
     */
    Comparison(Settings settings, Path folder, PrintStream out) {
        this.settings = settings;
        this.folder = folder;
        this.out = out;
    }

    /**
     * Runs it. The rows are in a file of their own, too, as soon as they are there.
     *
     * @throws IOException if that file cannot be written
     */
    Figures run() throws IOException, InterruptedException {
        Path csv = folder.resolve("rows.csv");
        Files.writeString(csv, Row.csvHead() + "\n");
        List<Row> rows = new ArrayList<>();
        List<Missing> missing = new ArrayList<>();
        List<PeerSystem> turn = new ArrayList<>(settings.systems());
        for (int repeat = 1; repeat <= settings.repeats(); repeat++) {
            for (PeerSystem system : turn) {
                out.printf("repeat %d of %d: %s%n", repeat, settings.repeats(), system.label());
                Turn one = new Turn(system, repeat, settings);
                one.run(folder.resolve("%s-%d".formatted(system, repeat)));
                for (Row row : one.rows()) {
                    rows.add(row);
                    Files.writeString(csv, row.csv() + "\n", StandardOpenOption.APPEND);
                }
                one.missing()
                        .ifPresent(
                                each -> {
                                    out.printf("  missing: %s%n", each.sentence());
                                    missing.add(each);
                                });
            }
            Collections.rotate(turn, -1);
        }
        return new Figures(rows, missing);
    }

    /** Returns the cells that the system can do. */
    static List<Cell> possible(PeerSystem system, List<Cell> cells) {
        return cells.stream()
                .filter(cell -> cell.mode() != Cell.Mode.ASYNC || system.isAsync())
                .filter(cell -> cell.mode() != Cell.Mode.RENEW || system.canRenew())
                .filter(cell -> cell.mode() == Cell.Mode.HOT || system != PeerSystem.REDISSON_FAIR)
                .toList();
    }
}
