package io.raftlock.chaos.report;

import java.time.Duration;
import java.util.List;

/**
 * How a run stands.
 *
 * @param elapsed since it began
 * @param faults that are there now
 * @param opsPerSecond answered in the last second
 * @param leader or empty if none is known
 * @param nodesUp of all {@code nodes}
 * @param complaints that were found so far
 */
public record Status(
        Duration elapsed,
        String phase,
        List<String> faults,
        long opsPerSecond,
        String leader,
        long term,
        int nodesUp,
        int nodes,
        long complaints) {
    public Status {
        faults = List.copyOf(faults);
    }
}
