package io.raftlock.chaos.run;

import io.raftlock.chaos.history.Event;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Times one thing that is done again and again, and notes when it took too long. One thread does
 * it; any thread may end it.
 */
final class Beat {
    private static final long NONE = Long.MIN_VALUE;

    private final Limits limits;
    private final LongSupplier clockNanos;
    private final Consumer<Event> events;
    private final AtomicLong beganNanos = new AtomicLong(NONE);

    /**
     * What is usual.
     *
     * @param part of the machine that stands still if it takes too long
     * @param usualNanos that it takes, which are no part of a stall
     * @param mostNanos beyond these that are no stall
     */
    record Limits(Event.Part part, long usualNanos, long mostNanos) {}

    /** What is done. */
    interface Work {
        void run() throws IOException, InterruptedException;
    }

    Beat(Limits limits, LongSupplier clockNanos, Consumer<Event> events) {
        this.limits = limits;
        this.clockNanos = clockNanos;
        this.events = events;
    }

    /** Does it once. */
    void time(Work work) throws IOException, InterruptedException {
        beganNanos.set(clockNanos.getAsLong());
        try {
            work.run();
        } finally {
            end();
        }
    }

    /**
     * Takes what is being done for ended now, if something is. It is noted once at most, whoever
     * ends it: what comes back after the run is no part of it.
     */
    void end() {
        long began = beganNanos.getAndSet(NONE);
        if (began == NONE) {
            return;
        }
        long lateNanos = clockNanos.getAsLong() - began - limits.usualNanos;
        if (lateNanos > limits.mostNanos) {
            events.accept(
                    new Event.MachineStalled(began + limits.usualNanos, limits.part, lateNanos));
        }
    }
}
