package io.raftlock.chaos.run;

import io.raftlock.chaos.checker.Verdict;
import io.raftlock.chaos.host.Capabilities;
import io.raftlock.chaos.host.Capability;
import io.raftlock.chaos.schedule.FaultKind;
import io.raftlock.chaos.schedule.Role;
import io.raftlock.chaos.schedule.Schedule;
import io.raftlock.chaos.schedule.Step;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The runs of every build: three that have to pass, and one with a bug that has to fail. */
public final class Smoke {
    /** Schedules of runs that have to pass. */
    public static final List<String> PASSING = List.of("smoke-a", "smoke-b", "smoke-c");

    private static final String CONTROL = "smoke-d";

    private Smoke() {}

    /** Runs all, and returns whether each did what it has to. */
    static boolean run(Capabilities machine, Layout layout, Path folder, PrintStream out)
            throws IOException {
        boolean isGood = true;
        for (String name : PASSING) {
            isGood &= passes(name, machine, layout, folder, out);
        }
        return controlFails(machine, layout, folder, out) && isGood;
    }

    /** Runs one that has to pass; what it found is printed. */
    public static boolean passes(
            String name, Capabilities machine, Layout layout, Path folder, PrintStream out)
            throws IOException {
        Schedule schedule = NamedSchedules.find(name);
        ChaosRun.Result result =
                ChaosRun.run(
                        new RunOptions(schedule, layout, "", true, fresh(folder, name)),
                        machine,
                        out);
        out.printf("%s: %s%n%s%n", name, result.verdict(), result.summary());
        return result.verdict() == Verdict.PASSED;
    }

    /**
     * Runs a cluster with a bug: what it acknowledged is not on its disks when the power fails, or
     * without disks of its own, it does not remember requests.
     */
    public static boolean controlFails(
            Capabilities machine, Layout layout, Path folder, PrintStream out) throws IOException {
        Schedule schedule = NamedSchedules.find(CONTROL);
        boolean hasDisks = layout == Layout.NETNS && machine.has(Capability.LOOP_DISKS);
        Schedule chosen =
                hasDisks
                        ? schedule.with(
                                List.of(Step.of(2_000, FaultKind.POWER_CUT, Role.ALL_NODES, 1_000)))
                        : schedule;
        String bug = hasDisks ? "NO_SYNC" : "REQUESTS_ARE_NOT_REMEMBERED";
        ChaosRun.Result result =
                ChaosRun.run(
                        new RunOptions(chosen, layout, bug, true, fresh(folder, CONTROL)),
                        machine,
                        out);
        out.printf(
                "%s with %s: %s, and has to fail; broken: %s%n",
                CONTROL, bug, result.verdict(), result.broken());
        return result.verdict() == Verdict.FAILED;
    }

    private static Path fresh(Path folder, String name) throws IOException {
        Path own = folder.resolve(name);
        if (Files.exists(own)) {
            RunFolders.delete(own);
        }
        return own;
    }
}
