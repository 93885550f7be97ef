package io.raftlock.chaos.report;

/**
 * The longest time of a run in which no client was given a lock.
 *
 * @param fromSeconds after the beginning of the run
 */
public record LongestGap(double fromSeconds, double seconds) {}
