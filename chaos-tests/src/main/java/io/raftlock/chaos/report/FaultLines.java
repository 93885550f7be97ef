package io.raftlock.chaos.report;

import io.raftlock.chaos.schedule.Bounds;
import io.raftlock.chaos.schedule.FaultKind;
import io.raftlock.chaos.schedule.Schedule;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Sums up the faults of a run by their kinds. */
final class FaultLines {
    /** For how long after a fault a gap is laid to it. */
    private static final long AFTER_NANOS = 5_000_000_000L;

    private static final double NANOS_PER_MILLI = 1e6;
    private static final double MILLIS_PER_SECOND = 1e3;

    private FaultLines() {}

    /** Returns a line for each kind that there was, in the order of the kinds. */
    static List<FaultLine> of(Run run, Schedule schedule, double slowness) {
        Map<FaultKind, Double> bounds = bounds(schedule, slowness);
        Map<FaultKind, List<FaultSpan>> byKind =
                run.faults().stream()
                        .collect(
                                Collectors.groupingBy(
                                        fault -> FaultKind.valueOf(fault.kind()),
                                        TreeMap::new,
                                        Collectors.toList()));
        return byKind.entrySet().stream()
                .map(
                        entry ->
                                line(
                                        entry.getKey(),
                                        entry.getValue(),
                                        run,
                                        bounds.getOrDefault(entry.getKey(), 0.0)))
                .toList();
    }

    /** Returns the longest bound of the steps of each kind. */
    private static Map<FaultKind, Double> bounds(Schedule schedule, double slowness) {
        Map<FaultKind, Double> longest = new EnumMap<>(FaultKind.class);
        Bounds.of(schedule, slowness)
                .forEach(
                        (step, bound) ->
                                longest.merge(
                                        schedule.steps().get(step).kind(),
                                        bound.toMillis() / MILLIS_PER_SECOND,
                                        Math::max));
        return longest;
    }

    private static FaultLine line(
            FaultKind kind, List<FaultSpan> faults, Run run, double boundSeconds) {
        long[] waits = sortedWaits(faults, run);
        return new FaultLine(
                kind.name(),
                faults.size(),
                (int) faults.stream().filter(FaultSpan::isProved).count(),
                longestGapSeconds(faults, run.gaps()),
                boundSeconds,
                percentile(waits, 50),
                percentile(waits, 99));
    }

    private static @Nullable Double longestGapSeconds(List<FaultSpan> faults, Gaps gaps) {
        return faults.stream()
                .flatMap(fault -> gaps.longestDuring(fault.span().wider(0, AFTER_NANOS)).stream())
                .max(Comparator.comparingLong(Span::nanos))
                .map(Span::seconds)
                .orElse(null);
    }

    private static long[] sortedWaits(List<FaultSpan> faults, Run run) {
        return run.calls().stream()
                .filter(call -> call.isGrant() && isAskedDuring(faults, call))
                .mapToLong(call -> call.span(run.span().toNanos()).nanos())
                .sorted()
                .toArray();
    }

    private static boolean isAskedDuring(List<FaultSpan> faults, Call call) {
        for (FaultSpan fault : faults) {
            if (fault.span().covers(call.asked().atNanos())) {
                return true;
            }
        }
        return false;
    }

    /** By the nearest rank, in milliseconds. */
    private static @Nullable Double percentile(long[] sortedNanos, int percent) {
        if (sortedNanos.length == 0) {
            return null;
        }
        int rank = (int) Math.ceil(sortedNanos.length * percent / 100.0);
        return sortedNanos[rank - 1] / NANOS_PER_MILLI;
    }
}
