package io.raftlock.server.simulation;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;

/** True time, which nobody in the simulation can read, and what happens in it, in order. */
final class Timeline {
    private record Event(long atNanos, long order, Runnable action) {}

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(
                    Comparator.comparingLong(Event::atNanos).thenComparingLong(Event::order));
    private long nowNanos;
    private long order;
    private long steps;

    long nowNanos() {
        return nowNanos;
    }

    long steps() {
        return steps;
    }

    void in(long delayNanos, Runnable action) {
        events.add(new Event(nowNanos + Math.max(0, delayNanos), order++, action));
    }

    void inMillis(long delayMillis, Runnable action) {
        in(TimeUnit.MILLISECONDS.toNanos(delayMillis), action);
    }

    /** Lets the next thing happen. */
    void step() {
        Event next = events.remove();
        nowNanos = next.atNanos();
        steps++;
        next.action().run();
    }
}
