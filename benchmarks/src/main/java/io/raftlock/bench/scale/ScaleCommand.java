package io.raftlock.bench.scale;

import io.raftlock.bench.load.LoadFailure;
import io.raftlock.bench.scale.GrowthScenario.Kind;
import io.raftlock.bench.server.Servers;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** The {@code scale} command. */
@Command(
        name = "scale",
        mixinStandardHelpOptions = true,
        description = {
            "Fills clusters of its own with sessions, with locks that are held, with waiters for one"
                    + " lock and with names that are used once, one cluster for each, and measures"
                    + " what that costs: prints figures, and writes a table (results.md) and all"
                    + " figures (rows.csv).",
            "A number of 0 leaves something out. All of it takes half an hour or more."
        })
public final class ScaleCommand implements Callable<Integer> {
    private static final int FAILED = 1;

    @Option(
            names = "--idle",
            paramLabel = "N",
            defaultValue = "1",
            description = "clusters that do nothing (default: ${DEFAULT-VALUE})")
    private int idle;

    @Option(
            names = "--sessions",
            paramLabel = "N",
            defaultValue = "15000",
            description =
                    "each with a connection, of which a process may have as many as files"
                            + " (default: ${DEFAULT-VALUE})")
    private int sessions;

    @Option(
            names = "--locks",
            paramLabel = "N",
            defaultValue = "1000000",
            description =
                    "held at once; with snapshots and restarts of nodes (default: ${DEFAULT-VALUE})")
    private int locks;

    @Option(
            names = "--waiters",
            paramLabel = "N",
            defaultValue = "10000",
            description =
                    "for one lock that goes from owner to owner; with ten and with a tenth too"
                            + " (default: ${DEFAULT-VALUE})")
    private int waiters;

    @Option(
            names = "--names",
            paramLabel = "N",
            defaultValue = "5000000",
            description = "locked and unlocked once each (default: ${DEFAULT-VALUE})")
    private int names;

    @Option(
            names = "--growth-locks",
            paramLabel = "N",
            defaultValue = "1000000",
            description =
                    "held while another is acquired and released again and again; measured with"
                            + " none, a hundredth and a tenth too (default: ${DEFAULT-VALUE})")
    private int growthLocks;

    @Option(
            names = "--growth-sessions",
            paramLabel = "N",
            defaultValue = "10000",
            description = "as --growth-locks, of sessions (default: ${DEFAULT-VALUE})")
    private int growthSessions;

    @Option(
            names = "--growth-waiters",
            paramLabel = "N",
            defaultValue = "10000",
            description =
                    "as --growth-locks, of waiters for one other lock (default: ${DEFAULT-VALUE})")
    private int growthWaiters;

    @Option(
            names = "--folder",
            paramLabel = "FOLDER",
            description =
                    "for the nodes' logs and the figures (default: benchmarks/target/scale-PID)")
    private Path folder =
            Path.of(System.getProperty("raftlock.bench.folder", "target/bench"))
                    .resolveSibling("scale-" + ProcessHandle.current().pid());

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new ScaleCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path own = Files.createDirectories(folder.toAbsolutePath().normalize());
        Report report = new Report(own, System.out);
        int exit = 0;
        for (Scenario scenario : scenarios()) {
            try {
                onNodes(own.resolve(scenario.name()), scenario, report);
            } catch (LoadFailure e) {
                System.err.printf("scale: %s: %s%n", scenario.name(), e.getMessage());
                exit = FAILED;
            } finally {
                report.write();
            }
        }
        System.out.println(own.resolve("results.md"));
        return exit;
    }

    private List<Scenario> scenarios() {
        List<Scenario> chosen = new ArrayList<>();
        add(chosen, idle, new IdleScenario());
        add(chosen, sessions, new SessionsScenario(sessions));
        add(chosen, locks, new LocksScenario(locks));
        add(chosen, waiters, new WaitersScenario(waiters));
        add(chosen, names, new NamesScenario(names));
        add(chosen, growthLocks, new GrowthScenario(Kind.LOCKS, growthLocks));
        add(chosen, growthSessions, new GrowthScenario(Kind.SESSIONS, growthSessions));
        add(chosen, growthWaiters, new GrowthScenario(Kind.WAITERS, growthWaiters));
        return chosen;
    }

    private static void add(List<Scenario> chosen, int size, Scenario scenario) {
        if (size > 0) {
            chosen.add(scenario);
        }
    }

    private static void onNodes(Path data, Scenario scenario, Report report)
            throws IOException, InterruptedException {
        Nodes nodes;
        try (Servers servers = Servers.startLarge(data)) {
            nodes = new Nodes(servers, data);
            scenario.run(nodes, report);
        }
        // Gigabytes; of nodes that failed they are kept.
        nodes.deleteData();
    }
}
