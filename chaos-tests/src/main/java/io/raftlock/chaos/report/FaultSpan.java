package io.raftlock.chaos.report;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.schedule.FaultKind;

import java.util.Arrays;
import java.util.List;

/**
 * A fault for as long as it was there.
 *
 * @param proof how it is known that it had an effect, or empty
 */
record FaultSpan(Event.FaultBegan began, Span span, String proof) {
    private static final int MOST_HOSTS_NAMED = 3;

    String kind() {
        return began.kind();
    }

    boolean isProved() {
        return !proof.isEmpty();
    }

    FaultGroup group() {
        return FaultGroup.of(FaultKind.valueOf(kind()));
    }

    /** Returns its kind and whom it is for, or how many these are if they are many. */
    String label() {
        List<String> hosts = hosts();
        String whom = hosts.size() > MOST_HOSTS_NAMED ? hosts.size() + " hosts" : began.targets();
        return (kind() + " " + whom).strip();
    }

    boolean isFor(String host) {
        return hosts().contains(host);
    }

    private List<String> hosts() {
        return Arrays.asList(began.targets().split("[^\\w.:-]+", -1));
    }
}
