package io.raftlock.chaos.report;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.schedule.FaultKind;

import java.util.Arrays;

/**
 * A fault for as long as it was there.
 *
 * @param proof how it is known that it had an effect, or empty
 */
record FaultSpan(Event.FaultBegan began, Span span, String proof) {
    String kind() {
        return began.kind();
    }

    boolean isProved() {
        return !proof.isEmpty();
    }

    FaultGroup group() {
        return FaultGroup.of(FaultKind.valueOf(kind()));
    }

    /** Returns its kind and whom it is for. */
    String label() {
        return (kind() + " " + began.targets()).strip();
    }

    boolean isFor(String host) {
        return Arrays.asList(began.targets().split("[^\\w.:-]+", -1)).contains(host);
    }
}
