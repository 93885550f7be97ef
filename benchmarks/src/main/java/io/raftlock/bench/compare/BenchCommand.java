package io.raftlock.bench.compare;

import io.raftlock.bench.load.Cell;
import io.raftlock.bench.load.Cell.Mode;
import io.raftlock.bench.peer.PeerSystem;
import io.raftlock.bench.server.Recipes;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/** The {@code bench} command. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = {
            "Puts the same load on raft-lock and on each other system that is there, in turn and"
                    + " repeatedly, all on this machine, and writes tables of medians"
                    + " (results.md), all figures (rows.csv) and a plot (rates.svg).",
            "Redis and etcd are taken from the PATH (apt-get install redis-server etcd-server);"
                    + " a system that is missing is named and left out.",
            "If a system that is there gives no figure for something, the tables say so and why,"
                    + " and the exit code is 1."
        })
public final class BenchCommand implements Callable<Integer> {
    private static final int FAILED = 1;

    @Option(
            names = "--systems",
            split = ",",
            paramLabel = "NAME",
            description = "which ones, of ${COMPLETION-CANDIDATES} (default: all)")
    private List<PeerSystem> systems = List.of(PeerSystem.values());

    @Option(
            names = "--cells",
            split = ",",
            paramLabel = "CELL",
            defaultValue =
                    "blocking:1,blocking:16,blocking:64,blocking:256,renew:16,procs:8,async:256,async:2048,hot:16,hot:256,open:64@100,open:64@500,open:64@2000",
            description =
                    "what load: blocking:N, async:N, hot:N (all want one lock), renew:N (of ten"
                            + " operations nine are renewals), procs:N (a process for each) or"
                            + " open:N@RATE"
                            + " (default: ${DEFAULT-VALUE})")
    private List<String> cells = List.of();

    @Option(
            names = "--repeats",
            paramLabel = "N",
            defaultValue = "3",
            description = "how often each system has its turn (default: ${DEFAULT-VALUE})")
    private int repeats;

    @Option(
            names = "--heat",
            paramLabel = "SECONDS",
            defaultValue = "50",
            description =
                    "load before a system's first cell: half of the time 64 blocking callers, half"
                            + " of it 256 asynchronous ones, or 256 blocking ones of a client that"
                            + " is not asynchronous (default: ${DEFAULT-VALUE})")
    private int heatSeconds;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            defaultValue = "2",
            description = "load before each measurement (default: ${DEFAULT-VALUE})")
    private int warmUpSeconds;

    @Option(
            names = "--measure",
            paramLabel = "SECONDS",
            defaultValue = "5",
            description = "length of each measurement (default: ${DEFAULT-VALUE})")
    private int measureSeconds;

    @Option(
            names = "--clients",
            paramLabel = "N",
            defaultValue = "4",
            description = "clients that callers are spread over (default: ${DEFAULT-VALUE})")
    private int clientCount;

    @Option(
            names = "--folder",
            paramLabel = "FOLDER",
            description = "for data and figures (default: a new one in benchmarks/target/bench)")
    private Path folder =
            Path.of(System.getProperty("raftlock.bench.folder", "target/bench"))
                    .resolve(
                            LocalDateTime.now(ZoneId.systemDefault())
                                    .format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss")));

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(
                new CommandLine(new BenchCommand())
                        .setCaseInsensitiveEnumValuesAllowed(true)
                        .execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<Cell> chosen = cells.stream().map(Cell::parse).toList();
        List<PeerSystem> there = new ArrayList<>();
        for (PeerSystem system : systems) {
            Optional<String> missing = Recipes.missing(system);
            if (missing.isPresent()) {
                System.out.printf("left out: %s: %s%n", system.label(), missing.get());
            } else {
                there.add(system);
            }
        }
        Path own = Files.createDirectories(folder.toAbsolutePath().normalize());
        Comparison.Settings settings =
                new Comparison.Settings(
                        there,
                        chosen,
                        repeats,
                        heatSeconds,
                        warmUpSeconds,
                        measureSeconds,
                        clientCount);
        Figures figures = new Comparison(settings, own, System.out).run();
        Path results = own.resolve("results.md");
        String tables = new Markdown(figures, there, chosen).text();
        Files.writeString(results, tables);
        Files.writeString(
                own.resolve("rates.svg"),
                BarChart.svg(
                        "Cycles a second", groups(new Medians(figures.rows()), there, chosen)));
        System.out.printf("%n%s%s%n", tables, results);
        if (figures.missing().isEmpty()) {
            return 0;
        }
        System.err.printf(
                "bench: figures are missing of %s: see the end of %s, what was printed above, and"
                        + " the logs of the servers beside that file%n",
                figures.missing().stream()
                        .map(each -> each.system().label())
                        .distinct()
                        .collect(Collectors.joining(", ")),
                results);
        return FAILED;
    }

    private static List<BarChart.Group> groups(
            Medians medians, List<PeerSystem> systems, List<Cell> cells) {
        List<BarChart.Group> groups = new ArrayList<>();
        for (Cell cell : cells) {
            List<BarChart.Bar> bars = new ArrayList<>();
            for (PeerSystem system : systems) {
                OptionalDouble rate = medians.of(system, cell, Row::cyclesPerSecond);
                rate.ifPresent(
                        value ->
                                bars.add(
                                        new BarChart.Bar(
                                                system.label(),
                                                value,
                                                system == PeerSystem.RAFT_LOCK)));
            }
            if (cell.mode() != Mode.OPEN) {
                groups.add(
                        new BarChart.Group(
                                String.format(
                                        Locale.ROOT,
                                        "%s, callers: %d%s",
                                        cell.mode().label(),
                                        cell.callers(),
                                        cell.mode() == Mode.RENEW ? " (operations a second)" : ""),
                                bars));
            }
        }
        return groups;
    }
}
