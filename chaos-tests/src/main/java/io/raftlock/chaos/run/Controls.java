package io.raftlock.chaos.run;

import io.raftlock.chaos.checker.Verdict;
import io.raftlock.chaos.fault.Possible;
import io.raftlock.chaos.host.Capabilities;
import io.raftlock.chaos.schedule.Schedule;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Runs that have to fail: what finds no bug where one was planted says nothing where none was. */
final class Controls {
    /**
     * One of them.
     *
     * @param bug of the nodes, or empty
     * @param guarded whether the store looks at tokens
     */
    record Control(String schedule, String bug, boolean guarded) {
        @Override
        public String toString() {
            return bug.isEmpty() ? "a store that takes any token" : bug;
        }
    }

    /** What was acknowledged is not on the disks when the power fails. */
    static final Control POWER = new Control("control-power", "NO_SYNC", true);

    /** A request that is asked again takes effect again. */
    static final Control RETRIES =
            new Control("control-retries", "REQUESTS_ARE_NOT_REMEMBERED", true);

    static final List<Control> ALL =
            List.of(
                    POWER,
                    RETRIES,
                    new Control("paused-clients", "", false),
                    new Control("control-reads", "READS_ARE_OF_LOCAL_STATE", true),
                    new Control("control-waiters", "WAITS_OUTLIVE_THEIR_SESSION", true),
                    new Control("control-expiry", "AN_EXPIRY_IS_NOT_CHECKED_AGAIN", true));

    private Controls() {}

    /** Runs all that this machine can, and returns whether each failed. */
    static boolean allFail(Capabilities machine, Layout layout, Path folder, PrintStream out)
            throws IOException {
        boolean isGood = true;
        for (Control control : ALL) {
            isGood &=
                    !isPossible(control, machine, layout, out)
                            || fails(control, machine, layout, folder, out).isGood();
        }
        return isGood;
    }

    /** Whether the machine can do all that the control needs; if not, that is printed. */
    static boolean isPossible(Control control, Capabilities machine, Layout layout, PrintStream out)
            throws IOException {
        Schedule schedule = NamedSchedules.find(control.schedule);
        Possible possible = Stage.possible(layout, machine);
        boolean isPossible =
                schedule.steps().stream().allMatch(step -> possible.kinds().contains(step.kind()));
        if (!isPossible) {
            out.printf("control left out: %s: %s%n", control, possible.missing());
        }
        return isPossible;
    }

    /** Runs one that has to fail; what broke and how long it took is printed. */
    static Trial fails(
            Control control, Capabilities machine, Layout layout, Path folder, PrintStream out)
            throws IOException {
        long start = System.nanoTime();
        Schedule schedule = NamedSchedules.find(control.schedule);
        Path own = RunFolders.fresh(folder, "control-" + ALL.indexOf(control));
        ChaosRun.Result result =
                ChaosRun.run(
                        new RunOptions(schedule, layout, control.bug, control.guarded, own),
                        machine,
                        out);
        out.printf(
                "control: %s: %s, has to be FAILED; seed %d, %d s, broken invariants %s, %s%n",
                control,
                result.verdict(),
                schedule.seed(),
                Duration.ofNanos(System.nanoTime() - start).toSeconds(),
                result.broken(),
                own);
        return new Trial(
                result.verdict() == Verdict.FAILED,
                "%s has to be FAILED, but was %s".formatted(control, result.brief()));
    }
}
