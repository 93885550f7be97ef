package io.raftlock.chaos.report;

import org.jspecify.annotations.Nullable;

/**
 * What faults of one kind did.
 *
 * @param proved how many of them are known to have had an effect
 * @param longestGapSeconds without any lock acquired, of those that overlap a fault or the 5 s
 *     after it; null if no client asked then
 * @param boundSeconds the longest of its steps: how long a gap may last that begins in one, as
 *     stretched for the host
 * @param p50Millis for which clients waited for locks that they asked for during a fault and were
 *     given; null if there are none
 * @param p99Millis the same
 */
public record FaultLine(
        String kind,
        int times,
        int proved,
        @Nullable Double longestGapSeconds,
        double boundSeconds,
        @Nullable Double p50Millis,
        @Nullable Double p99Millis) {}
