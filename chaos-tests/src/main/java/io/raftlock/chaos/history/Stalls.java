package io.raftlock.chaos.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** When the machine stood still, whichever part of it: stalls that overlap are one. Immutable. */
public final class Stalls {
    private final List<Span> spans;

    private Stalls(List<Span> spans) {
        this.spans = List.copyOf(spans);
    }

    private record Span(long fromNanos, long toNanos) {
        long nanosWithin(long from, long to) {
            return Math.max(0, Math.min(toNanos, to) - Math.max(fromNanos, from));
        }
    }

    /** Puts together what was noted, in any order. */
    public static Stalls of(List<Event.MachineStalled> noted) {
        List<Span> apart = new ArrayList<>();
        noted.stream()
                .map(stall -> new Span(stall.atNanos(), stall.atNanos() + stall.nanos()))
                .sorted(Comparator.comparingLong(Span::fromNanos))
                .forEach(span -> add(span, apart));
        return new Stalls(apart);
    }

    /** Adds a span that begins with the last one or later. */
    private static void add(Span span, List<Span> apart) {
        int last = apart.size() - 1;
        if (last >= 0 && apart.get(last).toNanos >= span.fromNanos) {
            Span before = apart.get(last);
            long toNanos = Math.max(before.toNanos, span.toNanos);
            apart.set(last, new Span(before.fromNanos, toNanos));
        } else {
            apart.add(span);
        }
    }

    /** Returns for how much of the time from the one moment to the other it stood still. */
    public Duration within(long fromNanos, long toNanos) {
        return Duration.ofNanos(
                spans.stream().mapToLong(span -> span.nanosWithin(fromNanos, toNanos)).sum());
    }

    /** Returns for how long it stood still in all. */
    public Duration total() {
        return within(Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** Returns for how long it stood still at most. */
    public Duration longest() {
        return Duration.ofNanos(
                spans.stream().mapToLong(span -> span.toNanos - span.fromNanos).max().orElse(0));
    }

    @Override
    public String toString() {
        return spans.isEmpty()
                ? "never, as far as was noted"
                : "%,d ms in all, %,d ms at most, %d times"
                        .formatted(total().toMillis(), longest().toMillis(), spans.size());
    }
}
