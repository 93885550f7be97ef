package io.raftlock.chaos.report;

import java.util.List;

/**
 * What one check came to.
 *
 * @param invariant its number in {@code docs/chaos.md}
 * @param lookedAt how many things it looked at: a check that looked at none shows nothing
 */
public record CheckLine(
        int invariant, String name, String description, long lookedAt, List<Finding> findings) {
    public CheckLine {
        findings = List.copyOf(findings);
    }
}
