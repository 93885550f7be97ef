package io.raftlock.chaos.run;

import io.raftlock.chaos.checker.Verdict;
import io.raftlock.chaos.host.Capabilities;
import io.raftlock.chaos.schedule.Schedule;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/** The runs of every build: three that have to pass, and one with a bug that has to fail. */
public final class Smoke {
    /** Schedules of runs that have to pass. */
    public static final List<String> PASSING = List.of("smoke-a", "smoke-b", "smoke-c");

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
                        new RunOptions(schedule, layout, "", true, RunFolders.fresh(folder, name)),
                        machine,
                        out);
        out.printf("%s: %s%n%s%n", name, result.verdict(), result.summary());
        return result.verdict() == Verdict.PASSED;
    }

    /** Runs a cluster with a bug, and returns whether that was found. */
    public static boolean controlFails(
            Capabilities machine, Layout layout, Path folder, PrintStream out) throws IOException {
        Controls.Control control =
                Controls.isPossible(Controls.POWER, machine, layout, out)
                        ? Controls.POWER
                        : Controls.RETRIES;
        return Controls.fails(control, machine, layout, folder, out);
    }
}
