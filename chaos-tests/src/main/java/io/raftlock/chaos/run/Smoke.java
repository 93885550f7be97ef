package io.raftlock.chaos.run;

import io.raftlock.chaos.checker.LivenessCheck;
import io.raftlock.chaos.checker.Verdict;
import io.raftlock.chaos.host.Capabilities;
import io.raftlock.chaos.schedule.Schedule;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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
            isGood &= passes(name, machine, layout, folder, out).isGood();
        }
        return controlFails(machine, layout, folder, out).isGood() && isGood;
    }

    /** Runs one that has to pass, twice at most; what it found is printed. */
    public static Trial passes(
            String name, Capabilities machine, Layout layout, Path folder, PrintStream out)
            throws IOException {
        Schedule schedule = NamedSchedules.find(name);
        Path own = RunFolders.fresh(folder, name);
        Path again = RunFolders.fresh(folder, name + "-again");
        return twiceAtMost(
                each -> {
                    RunOptions options = new RunOptions(schedule, layout, "", true, each);
                    ChaosRun.Result result = ChaosRun.run(options, machine, out);
                    out.printf("%s: %s%n%s%n", name, result.verdict(), result.summary());
                    return result;
                },
                own,
                again,
                out);
    }

    /** A run into a folder. */
    interface Once {
        ChaosRun.Result run(Path folder) throws IOException;
    }

    /** Runs once, and once more if {@link #whyOnceMore} says so: then the second run counts. */
    static Trial twiceAtMost(Once once, Path own, Path again, PrintStream out) throws IOException {
        ChaosRun.Result first = once.run(own);
        Optional<String> why = whyOnceMore(first.verdict(), first.broken());
        if (why.isEmpty()) {
            return new Trial(first.verdict() == Verdict.PASSED, first.brief());
        }
        out.printf("once more, as %s; the first run stays in %s%n", why.get(), own);
        ChaosRun.Result second = once.run(again);
        return new Trial(
                second.verdict() == Verdict.PASSED,
                "%s%nand the second run: %s".formatted(first.brief(), second.brief()));
    }

    /**
     * Returns why a run is to be made once more, or empty if it counts as it is. A build may run on
     * a machine that it shares: a defect in liveness shows again under the same seed, a hiccup of
     * the machine does not. (One that shows seldom is for the long random runs, which are never
     * made once more.) Safety does not depend on the machine: whatever else is broken fails at
     * once.
     *
     * @param broken numbers of the invariants that did not hold
     */
    static Optional<String> whyOnceMore(Verdict verdict, Set<Integer> broken) {
        return switch (verdict) {
            case PASSED -> Optional.empty();
            case FAILED ->
                    broken.equals(Set.of(LivenessCheck.INVARIANT))
                            ? Optional.of("nothing but liveness is broken")
                            : Optional.empty();
            case INVALID -> Optional.of("it proves nothing");
        };
    }

    /** Runs a cluster with a bug, which has to be found. */
    public static Trial controlFails(
            Capabilities machine, Layout layout, Path folder, PrintStream out) throws IOException {
        Controls.Control control =
                Controls.isPossible(Controls.POWER, machine, layout, out)
                        ? Controls.POWER
                        : Controls.RETRIES;
        return Controls.fails(control, machine, layout, folder, out);
    }
}
