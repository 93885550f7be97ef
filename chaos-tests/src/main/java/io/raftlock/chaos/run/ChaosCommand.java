package io.raftlock.chaos.run;

import io.raftlock.chaos.checker.Verdict;
import io.raftlock.chaos.host.Capabilities;
import io.raftlock.chaos.host.HostProbe;
import io.raftlock.chaos.schedule.FaultKind;
import io.raftlock.chaos.schedule.Schedule;
import io.raftlock.chaos.schedule.Schedules;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;

/** The command of {@code scripts/chaos}. */
@Command(
        name = "chaos",
        description = "Breaks a cluster of its own and checks what its clients saw.",
        mixinStandardHelpOptions = true,
        footer =
                "Exit codes: 0 passed, 1 failed, 2 wrong usage, 3 invalid (proves nothing), 4 no run.")
public final class ChaosCommand implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final int INVALID = 3;
    private static final int HARNESS_FAILED = 4;
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    private final PrintStream out = System.out;

    @Spec private @Nullable CommandSpec spec;

    @Option(
            names = "--minutes",
            defaultValue = "10",
            paramLabel = "N",
            description = "How long faults go on in a random run (default: ${DEFAULT-VALUE}).")
    private int minutes;

    @Option(
            names = "--nodes",
            defaultValue = "3",
            paramLabel = "N",
            description = "Nodes of the cluster: 3 or 5 (default: ${DEFAULT-VALUE}).")
    private int nodes;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Of a random run; by default one is drawn and printed.")
    private @Nullable Long seed;

    @Option(
            names = "--schedule",
            paramLabel = "FILE",
            description = "A file that a run left, or the name of a kept schedule.")
    private @Nullable String schedule;

    @Option(names = "--smoke", description = "The four schedules that every build runs.")
    private boolean smoke;

    @Option(
            names = "--controls",
            description = "Runs with planted bugs, each of which has to fail.")
    private boolean controls;

    @Option(
            names = "--soak",
            paramLabel = "HOURS",
            description = "Random runs one after the other, for so long or until one fails.")
    private @Nullable Double soakHours;

    @Option(
            names = "--shrink",
            paramLabel = "MINUTES",
            description = "After a failure, look for so long for fewer steps that fail too.")
    private @Nullable Integer shrinkMinutes;

    @Option(
            names = "--judge",
            paramLabel = "FOLDER",
            description = "Run nothing; check again what a run has left in its folder.")
    private @Nullable Path judged;

    @Option(
            names = "--layout",
            paramLabel = "NAME",
            description = "netns or loopback; by default what the machine can do.")
    private @Nullable String layout;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "KIND",
            description = "Only these kinds of faults in a random run, such as KILL,PAUSE.")
    private List<FaultKind> only = List.of();

    @Option(
            names = "--sabotage",
            defaultValue = "",
            paramLabel = "NAME",
            description = "Run nodes with a planted bug; a wrong name prints all.")
    private String sabotage = "";

    @Option(names = "--unguarded", description = "A store behind the locks that takes any token.")
    private boolean unguarded;

    /** Runs the command and ends the process. */
    public static void main(String[] arguments) {
        System.exit(
                new CommandLine(new ChaosCommand())
                        .setCaseInsensitiveEnumValuesAllowed(true)
                        .setExecutionExceptionHandler(
                                (failure, command, parsed) -> harnessFailed(failure))
                        .execute(arguments));
    }

    /** Says nothing of the cluster; what was set up is taken down all the same. */
    private static int harnessFailed(Exception failure) {
        System.err.printf("chaos: the run could not be made: %s%n", failure.getMessage());
        if (!(failure instanceof IOException)) {
            failure.printStackTrace();
        }
        return HARNESS_FAILED;
    }

    @Override
    public Integer call() throws IOException {
        check();
        Capabilities machine = HostProbe.probe();
        Layout stage = layout(machine);
        out.printf("layout %s%n", stage);
        machine.missing().forEach((what, why) -> out.printf("not here: %s: %s%n", what, why));
        if (judged != null) {
            return judgeAgain(judged, machine, stage);
        }
        if (smoke) {
            return Smoke.run(machine, stage, ChaosRun.defaultFolder(), out) ? 0 : FAILED;
        }
        if (controls) {
            return Controls.allFail(machine, stage, ChaosRun.defaultFolder(), out) ? 0 : FAILED;
        }
        return soakHours == null ? once(machine, stage) : soak(machine, stage, soakHours);
    }

    private void check() {
        require(nodes == 3 || nodes == 5, "--nodes is 3 or 5, but was " + nodes);
        require(minutes > 0, "--minutes is more than 0, but was " + minutes);
        require(
                sabotage.isEmpty() || Sabotage.names().contains(sabotage),
                "no sabotage %s: there are %s".formatted(sabotage, Sabotage.names()));
    }

    private void require(boolean holds, String message) {
        if (!holds) {
            throw new ParameterException(Objects.requireNonNull(spec).commandLine(), message);
        }
    }

    private Layout layout(Capabilities machine) {
        if (layout == null) {
            return Stage.best(machine);
        }
        try {
            return Layout.valueOf(layout.toUpperCase(java.util.Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            throw new ParameterException(
                    Objects.requireNonNull(spec).commandLine(),
                    "--layout is netns or loopback, but was " + layout);
        }
    }

    private int once(Capabilities machine, Layout stage) throws IOException {
        Schedule chosen =
                schedule == null
                        ? draw(machine, stage, seed == null ? anySeed() : seed)
                        : NamedSchedules.find(schedule);
        RunOptions options = options(chosen, stage);
        ChaosRun.Result result = run(options, machine);
        if (result.verdict() == Verdict.FAILED && shrinkMinutes != null) {
            shrink(options, result, machine, shrinkMinutes);
        }
        return exitCode(result.verdict());
    }

    private int judgeAgain(Path folder, Capabilities machine, Layout stage) throws IOException {
        Path absolute = folder.toAbsolutePath().normalize();
        Schedule chosen = Schedule.read(absolute.resolve(ChaosRun.SCHEDULE));
        RunOptions options = new RunOptions(chosen, stage, sabotage, !unguarded, absolute);
        ChaosRun.Result result = ChaosRun.judge(options, machine, out);
        out.println(result.summary());
        return exitCode(result.verdict());
    }

    private void shrink(
            RunOptions failed, ChaosRun.Result result, Capabilities machine, int longestMinutes)
            throws IOException {
        Schedule smallest =
                new Reduction(failed, result, machine, out, Duration.ofMinutes(longestMinutes))
                        .smallest();
        Path file = failed.folder().resolve("smallest.json");
        smallest.write(file);
        out.printf(
                "%d steps of %d are enough: %s%n",
                smallest.steps().size(), failed.schedule().steps().size(), file);
        smallest.steps().forEach(step -> out.printf("  %s%n", step));
    }

    private int soak(Capabilities machine, Layout stage, double hours) throws IOException {
        long end = System.nanoTime() + (long) (hours * Duration.ofHours(1).toNanos());
        long next = seed == null ? anySeed() : seed;
        int runs = 0;
        while (System.nanoTime() - end < 0) {
            runs++;
            out.printf("soak: run %d, seed %d%n", runs, next);
            RunOptions options = options(draw(machine, stage, next), stage);
            ChaosRun.Result result = run(options, machine);
            if (result.verdict() == Verdict.FAILED) {
                return FAILED;
            }
            RunFolders.thin(options.folder());
            next++;
        }
        out.printf("soak: %d runs, none failed%n", runs);
        return 0;
    }

    private ChaosRun.Result run(RunOptions options, Capabilities machine) throws IOException {
        out.printf("seed %d, in %s%n", options.schedule().seed(), options.folder());
        ChaosRun.Result result = ChaosRun.run(options, machine, out);
        out.println(result.summary());
        return result;
    }

    private Schedule draw(Capabilities machine, Layout stage, long from) {
        Set<FaultKind> kinds = Stage.possible(stage, machine).kinds();
        if (!only.isEmpty()) {
            kinds.retainAll(only);
            require(!kinds.isEmpty(), "this machine can do none of " + only);
        }
        return Schedules.draw(
                from, nodes, Clients.draw(from), kinds, Duration.ofMinutes(minutes).toMillis());
    }

    private RunOptions options(Schedule chosen, Layout stage) {
        String name =
                "%s-%d"
                        .formatted(
                                LocalDateTime.now(ZoneId.systemDefault()).format(STAMP),
                                chosen.seed());
        return new RunOptions(
                chosen, stage, sabotage, !unguarded, ChaosRun.defaultFolder().resolve(name));
    }

    private static long anySeed() {
        return ThreadLocalRandom.current().nextLong(1_000_000);
    }

    private static int exitCode(Verdict verdict) {
        return switch (verdict) {
            case PASSED -> 0;
            case FAILED -> FAILED;
            case INVALID -> INVALID;
        };
    }
}
