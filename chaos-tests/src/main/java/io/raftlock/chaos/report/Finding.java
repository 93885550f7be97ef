package io.raftlock.chaos.report;

import java.util.List;

/**
 * One thing that must not be.
 *
 * @param atNanos when, by the clock of the events; 0 if it has no moment of its own
 * @param calls that it is about, by their numbers
 */
public record Finding(String text, long atNanos, List<Long> calls) {
    public Finding {
        calls = List.copyOf(calls);
    }
}
