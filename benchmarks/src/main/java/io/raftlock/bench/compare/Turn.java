package io.raftlock.bench.compare;

import com.fasterxml.jackson.databind.ObjectMapper;

import io.raftlock.bench.load.Cell;
import io.raftlock.bench.load.LoadFailure;
import io.raftlock.bench.peer.PeerSystem;
import io.raftlock.bench.server.Jdk;
import io.raftlock.bench.server.Servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One turn of a system: its servers, and the program that puts load on them. Whatever goes wrong is
 * the reason why figures are missing, and the next system has its turn. Owned by one thread.
 */
final class Turn {
    private static final Duration SPARE = Duration.ofMinutes(3);

    private final PeerSystem system;
    private final int repeat;
    private final Comparison.Settings settings;
    private final List<Cell> cells;
    private final List<Row> rows = new ArrayList<>();
    private String failure = "";

    /**
     * @param repeat which of the repeats, from 1
     */
    Turn(PeerSystem system, int repeat, Comparison.Settings settings) {
        this.system = system;
        this.repeat = repeat;
        this.settings = settings;
        this.cells = Comparison.possible(system, settings.cells());
    }

    /** Runs it. */
    void run(Path folder) throws InterruptedException {
        if (cells.isEmpty()) {
            return;
        }
        try (Servers servers = Servers.start(system, folder)) {
            Process worker =
                    new ProcessBuilder(command(servers.endpoints()))
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
            read(worker);
            servers.requireAlive();
        } catch (IOException | LoadFailure e) {
            // What a system did while a server of it was dead is no figure of that system.
            rows.clear();
            failure = OneLine.of(e);
        }
    }

    List<Row> rows() {
        return List.copyOf(rows);
    }

    /** Returns what it gave no figures for. */
    Optional<Missing> missing() {
        Set<String> found = rows.stream().map(Row::cell).collect(Collectors.toSet());
        List<Cell> without =
                cells.stream().filter(cell -> !found.contains(cell.toString())).toList();
        return without.isEmpty()
                ? Optional.empty()
                : Optional.of(new Missing(system, repeat, without, failure));
    }

    private void read(Process worker) throws IOException, InterruptedException {
        ObjectMapper json = new ObjectMapper();
        Duration longest = longest();
        try (Bound bound = new Bound(longest, worker::destroyForcibly);
                BufferedReader lines = worker.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(Worker.ROW)) {
                    rows.add(json.readValue(line.substring(Worker.ROW.length()), Row.class));
                } else if (line.startsWith(Worker.FAILURE)) {
                    failure = line.substring(Worker.FAILURE.length());
                }
            }
            int exitCode = worker.waitFor();
            if (bound.passed()) {
                failure = "the load was not through within %d s".formatted(longest.toSeconds());
            } else if (failure.isEmpty()) {
                failure = "the load ended with exit code %d, see its output".formatted(exitCode);
            }
        } finally {
            worker.destroyForcibly();
        }
    }

    private Duration longest() {
        Duration each = Duration.ofSeconds(settings.warmUp() + settings.measure());
        Duration heat = Duration.ofSeconds(settings.heat());
        long processes = cells.stream().filter(cell -> cell.mode() == Cell.Mode.PROCS).count();
        return SPARE.plus(heat)
                .plus(each.multipliedBy(2L * cells.size()))
                .plus(ClientProcesses.SPARE.plus(heat).multipliedBy(processes));
    }

    private List<String> command(List<String> endpoints) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "--system=" + system,
                                "--endpoints=" + String.join(",", endpoints),
                                "--repeat=" + repeat,
                                "--clients=" + settings.clients(),
                                "--heat=" + settings.heat(),
                                "--warm-up=" + settings.warmUp(),
                                "--measure=" + settings.measure()));
        cells.forEach(cell -> arguments.add(cell.toString()));
        return Jdk.java(List.of("-Xmx1g"), Worker.class.getName(), arguments);
    }
}
