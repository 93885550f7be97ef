package io.raftlock.chaos.report;

import io.raftlock.chaos.history.Event;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Puts questions and answers together. */
final class Calls {
    private final Map<Long, Event.Invoked> open = new LinkedHashMap<>();
    private final List<Call> answered = new ArrayList<>();

    void asked(Event.Invoked invoked) {
        open.put(invoked.call(), invoked);
    }

    void answered(Event.Returned returned) {
        Event.Invoked invoked = open.remove(returned.call());
        if (invoked != null) {
            answered.add(new Call(invoked, returned));
        }
    }

    /** Returns the calls in the order of their answers, and then those that have none. */
    List<Call> all() {
        List<Call> all = answered;
        open.values().forEach(invoked -> all.add(new Call(invoked, null)));
        open.clear();
        return all;
    }
}
