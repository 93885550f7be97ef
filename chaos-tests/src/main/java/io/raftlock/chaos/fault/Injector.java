package io.raftlock.chaos.fault;

import io.raftlock.chaos.schedule.Step;

/** Begins faults. Owned by the driver's thread. */
@FunctionalInterface
public interface Injector {
    /**
     * Does to the targets what the step says.
     *
     * @throws RuntimeException if the tool for it fails
     */
    Active begin(Step step, Targets targets);
}
