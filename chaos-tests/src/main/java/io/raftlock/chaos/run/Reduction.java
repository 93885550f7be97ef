package io.raftlock.chaos.run;

import io.raftlock.chaos.checker.Verdict;
import io.raftlock.chaos.host.Capabilities;
import io.raftlock.chaos.schedule.Schedule;
import io.raftlock.chaos.schedule.Shrinker;
import io.raftlock.chaos.schedule.Step;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** Looks for fewer steps that break the same promise. Owned by one thread. */
final class Reduction {
    /** A cluster is not deterministic: what does not fail once may fail the next time. */
    private static final int TRIES = 2;

    private final RunOptions failed;
    private final Set<Integer> broken;
    private final List<Step> suspects;
    private final Capabilities machine;
    private final PrintStream out;
    private final long endNanos;
    private int runs;

    /**
     * @param result of a run that failed; a smaller schedule has to break one of the same
     *     invariants
     */
    Reduction(
            RunOptions failed,
            ChaosRun.Result result,
            Capabilities machine,
            PrintStream out,
            Duration budget) {
        this.failed = failed;
        this.broken = result.broken();
        this.suspects = result.suspects();
        this.machine = machine;
        this.out = out;
        endNanos = System.nanoTime() + budget.toNanos();
    }

    /** Returns the smallest schedule that was found to fail. */
    Schedule smallest() {
        List<Step> failing = failed.schedule().steps();
        for (List<Step> candidate : Shrinker.lastOf(suspects)) {
            if (candidate.size() < failing.size() && fails(candidate)) {
                failing = candidate;
            }
        }
        return failed.schedule().with(Shrinker.shrink(failing, this::fails, this::isOver));
    }

    private boolean isOver() {
        return System.nanoTime() - endNanos > 0;
    }

    private boolean fails(List<Step> steps) {
        for (int i = 0; i < TRIES && !isOver(); i++) {
            if (failsOnce(steps)) {
                return true;
            }
        }
        return false;
    }

    private boolean failsOnce(List<Step> steps) {
        runs++;
        Path folder =
                failed.folder().resolveSibling(failed.folder().getFileName() + "-shrink-" + runs);
        out.printf("shrinking, run %d: %d steps: %s%n", runs, steps.size(), steps);
        try {
            ChaosRun.Result result =
                    ChaosRun.run(failed.with(failed.schedule().with(steps), folder), machine, out);
            boolean isSame =
                    result.verdict() == Verdict.FAILED
                            && !Collections.disjoint(result.broken(), broken);
            out.printf(
                    "shrinking, run %d: %s, broken: %s%n",
                    runs, isSame ? "fails" : "does not fail so", result.broken());
            return isSame;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
