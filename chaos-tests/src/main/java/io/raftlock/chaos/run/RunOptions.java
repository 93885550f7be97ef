package io.raftlock.chaos.run;

import io.raftlock.chaos.schedule.Schedule;

import java.nio.file.Path;

/**
 * One run.
 *
 * @param sabotage name of the bug that the nodes have, or empty
 * @param guarded whether the store looks at tokens
 * @param folder that it leaves everything in; must not exist
 */
public record RunOptions(
        Schedule schedule, Layout layout, String sabotage, boolean guarded, Path folder) {
    /** The same run once more, with another schedule and in another folder. */
    public RunOptions with(Schedule other, Path otherFolder) {
        return new RunOptions(other, layout, sabotage, guarded, otherFolder);
    }

    /** Returns the arguments of the command that repeats the run. */
    String arguments() {
        return "--layout %s%s%s --schedule %s"
                .formatted(
                        layout.name().toLowerCase(java.util.Locale.ROOT),
                        sabotage.isEmpty() ? "" : " --sabotage " + sabotage,
                        guarded ? "" : " --unguarded",
                        folder.resolve(ChaosRun.SCHEDULE));
    }
}
