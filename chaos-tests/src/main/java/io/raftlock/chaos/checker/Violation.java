package io.raftlock.chaos.checker;

import java.util.List;

/**
 * One thing that a correct lock service cannot have done, in words for whoever reads the report.
 *
 * @param invariant number of what is broken, 1 to 15, or 0 if it is none of these
 * @param atNanos when it showed, or {@link #NO_TIME}
 * @param calls that are part of it, which may be none
 */
public record Violation(int invariant, String what, long atNanos, List<Long> calls) {
    /** The time of what has none, such as a position of the log. */
    public static final long NO_TIME = Long.MIN_VALUE;

    public Violation {
        calls = List.copyOf(calls);
    }

    public Violation(String what) {
        this(0, what, NO_TIME, List.of());
    }

    public boolean hasTime() {
        return atNanos != NO_TIME;
    }

    @Override
    public String toString() {
        return what;
    }
}
