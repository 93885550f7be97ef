package io.raftlock.bench.compare;

import com.fasterxml.jackson.databind.ObjectMapper;

import io.raftlock.bench.load.Cell;
import io.raftlock.bench.peer.PeerSystem;
import io.raftlock.bench.server.Jdk;
import io.raftlock.bench.server.Servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.TimeUnit;

/**
 * Runs all systems in turn, and again from the start for each repeat, so that what the machine does
 * in the course of an hour falls on all alike. Each repeat begins with another system.
 */
final class Comparison {
    private static final long SPARE_SECONDS = 180;

    private final Settings settings;
    private final Path folder;
    private final PrintStream out;
    private final ObjectMapper json = new ObjectMapper();

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
     * @throws IOException if servers cannot be started
     */
    List<Row> run() throws IOException, InterruptedException {
        Path csv = folder.resolve("rows.csv");
        Files.writeString(csv, Row.csvHead() + "\n");
        List<Row> rows = new ArrayList<>();
        List<PeerSystem> turn = new ArrayList<>(settings.systems());
        for (int repeat = 1; repeat <= settings.repeats(); repeat++) {
            for (PeerSystem system : turn) {
                out.printf("repeat %d of %d: %s%n", repeat, settings.repeats(), system.label());
                for (Row row : run(system, repeat)) {
                    rows.add(row);
                    Files.writeString(csv, row.csv() + "\n", StandardOpenOption.APPEND);
                }
            }
            Collections.rotate(turn, -1);
        }
        return rows;
    }

    /** Returns the cells that the system can do. */
    static List<Cell> possible(PeerSystem system, List<Cell> cells) {
        return cells.stream()
                .filter(cell -> cell.mode() != Cell.Mode.ASYNC || system.isAsync())
                .filter(cell -> cell.mode() == Cell.Mode.HOT || system != PeerSystem.REDISSON_FAIR)
                .toList();
    }

    private List<Row> run(PeerSystem system, int repeat) throws IOException, InterruptedException {
        List<Cell> cells = possible(system, settings.cells());
        if (cells.isEmpty()) {
            return List.of();
        }
        Path own = folder.resolve("%s-%d".formatted(system, repeat));
        try (Servers servers = Servers.start(system, own)) {
            Process worker =
                    new ProcessBuilder(command(system, repeat, servers.endpoints(), cells))
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
            return rows(worker, servers, cells.size());
        }
    }

    private List<Row> rows(Process worker, Servers servers, int cells)
            throws IOException, InterruptedException {
        Timer bound = new Timer("bound", true);
        bound.schedule(
                new TimerTask() {
                    @Override
                    public void run() {
                        worker.destroyForcibly();
                    }
                },
                TimeUnit.SECONDS.toMillis(longestSeconds(cells)));
        List<Row> rows = new ArrayList<>();
        try (BufferedReader lines = worker.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(Worker.ROW)) {
                    rows.add(json.readValue(line.substring(Worker.ROW.length()), Row.class));
                }
            }
            worker.waitFor();
        } finally {
            bound.cancel();
            worker.destroyForcibly();
        }
        servers.requireAlive();
        if (rows.size() < cells) {
            out.printf("  only %d of %d cells: see above%n", rows.size(), cells);
        }
        return rows;
    }

    private long longestSeconds(int cells) {
        return SPARE_SECONDS
                + settings.heat()
                + 2L * cells * (settings.warmUp() + settings.measure());
    }

    private List<String> command(
            PeerSystem system, int repeat, List<String> endpoints, List<Cell> cells) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Jdk.program("java"),
                                "-Xmx1g",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Worker.class.getName(),
                                "--system=" + system,
                                "--endpoints=" + String.join(",", endpoints),
                                "--repeat=" + repeat,
                                "--clients=" + settings.clients(),
                                "--heat=" + settings.heat(),
                                "--warm-up=" + settings.warmUp(),
                                "--measure=" + settings.measure()));
        cells.forEach(cell -> command.add(cell.toString()));
        return command;
    }
}
