package io.raftlock.chaos.report;

/** How many calls a second were answered in one phase, by their results. */
public record PhaseRate(
        String phase,
        double seconds,
        double okPerSecond,
        double failPerSecond,
        double infoPerSecond) {}
