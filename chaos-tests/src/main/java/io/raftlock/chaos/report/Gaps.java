package io.raftlock.chaos.report;

import io.raftlock.chaos.history.Event.Phase;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Times in which no client was given a lock. They are looked for while clients ask and the run
 * means them to be served: from the first acquire of the baseline to the last acquire's answer
 * before the final phase.
 */
final class Gaps {
    private final long[] bordersNanos;

    private Gaps(long[] bordersNanos) {
        this.bordersNanos = bordersNanos;
    }

    static Gaps of(List<Call> calls, Intervals intervals, Span run) {
        long from = intervals.phase(Phase.BASELINE).map(Span::fromNanos).orElse(run.fromNanos());
        long to =
                intervals
                        .phase(Phase.FINAL)
                        .or(() -> intervals.phase(Phase.STOP))
                        .map(Span::fromNanos)
                        .orElse(run.toNanos());
        Span meant = new Span(from, to);
        List<Call> acquires =
                calls.stream()
                        .filter(call -> call.isAcquire() && meant.covers(call.asked().atNanos()))
                        .toList();
        if (acquires.isEmpty()) {
            return new Gaps(new long[0]);
        }
        return new Gaps(borders(acquires, to));
    }

    private static long[] borders(List<Call> acquires, long latestNanos) {
        long first =
                acquires.stream().mapToLong(call -> call.asked().atNanos()).min().orElseThrow();
        long last =
                acquires.stream()
                        .mapToLong(call -> Math.min(latestNanos, call.span(latestNanos).toNanos()))
                        .max()
                        .orElseThrow();
        LongStream grants =
                acquires.stream()
                        .filter(Call::isGrant)
                        .mapToLong(call -> call.span(latestNanos).toNanos())
                        .filter(grantNanos -> grantNanos < last);
        return LongStream.concat(LongStream.of(first, last), grants).sorted().toArray();
    }

    /** Returns the longest of the run, or nothing if no client asked. */
    Optional<Span> longest() {
        return longestOf(0, bordersNanos.length - 1);
    }

    /** Returns the longest, as a whole, of those that overlap a time. */
    Optional<Span> longestDuring(Span time) {
        int first = Math.max(0, lastUpTo(time.fromNanos()));
        int last = Math.min(bordersNanos.length - 1, lastUpTo(time.toNanos() - 1) + 1);
        return longestOf(first, last);
    }

    /** Returns the place of the last border not after a moment, or -1. */
    private int lastUpTo(long atNanos) {
        int found = Arrays.binarySearch(bordersNanos, atNanos);
        int place = found >= 0 ? found : -found - 2;
        while (place >= 0
                && place + 1 < bordersNanos.length
                && bordersNanos[place + 1] == atNanos) {
            place++;
        }
        return place;
    }

    private Optional<Span> longestOf(int firstBorder, int lastBorder) {
        Span longest = null;
        for (int at = firstBorder; at < lastBorder; at++) {
            Span gap = new Span(bordersNanos[at], bordersNanos[at + 1]);
            if (longest == null || gap.nanos() > longest.nanos()) {
                longest = gap;
            }
        }
        return Optional.ofNullable(longest);
    }
}
