package io.raftlock.chaos.history;

import io.raftlock.chaos.history.Event.FaultBegan;
import io.raftlock.chaos.history.Event.FaultEnded;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/** One step of the schedule, from the moment its fault was there to the moment it was over. */
public record FaultInterval(FaultBegan began, @Nullable FaultEnded ended) {
    public String kind() {
        return began.kind();
    }

    public long beganNanos() {
        return began.atNanos();
    }

    /** Returns when it was over, or the end of time if nobody ended it. */
    public long endedNanos() {
        return ended == null ? Long.MAX_VALUE : ended.atNanos();
    }

    /** Returns how its effect is known, or an empty text if it is not. */
    public String proof() {
        return ended == null ? "" : ended.proof();
    }

    /** Returns the names of the hosts that it was done to. */
    public Set<String> targets() {
        Set<String> names = new TreeSet<>(Arrays.asList(began.targets().split("[\\s,;>]+")));
        names.remove("");
        return names;
    }

    /** Whether any part of the time from the one moment to the other is in it. */
    public boolean touches(long fromNanos, long toNanos) {
        return beganNanos() <= toNanos && endedNanos() >= fromNanos;
    }

    @Override
    public String toString() {
        return "%s of %s (step %d)".formatted(kind(), began.targets(), began.step());
    }
}
