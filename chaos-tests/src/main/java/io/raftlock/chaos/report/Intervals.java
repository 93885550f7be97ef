package io.raftlock.chaos.report;

import io.raftlock.chaos.history.Event;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The faults and the phases of a run.
 *
 * @param faults by when they began
 * @param phases in their order
 */
record Intervals(List<FaultSpan> faults, List<PhaseSpan> phases) {
    /**
     * Finds them.
     *
     * @param events in the order of time
     * @param endNanos of what has not ended
     */
    static Intervals of(List<Event> events, long endNanos) {
        Map<Integer, Event.FaultBegan> open = new LinkedHashMap<>();
        List<FaultSpan> faults = new ArrayList<>();
        List<Event.PhaseBegan> phases = new ArrayList<>();
        for (Event event : events) {
            if (event instanceof Event.FaultBegan began) {
                open.put(began.step(), began);
            } else if (event instanceof Event.FaultEnded ended) {
                Event.FaultBegan began = open.remove(ended.step());
                if (began != null) {
                    faults.add(span(began, ended.atNanos(), ended.proof()));
                }
            } else if (event instanceof Event.PhaseBegan phase) {
                phases.add(phase);
            }
        }
        open.values().forEach(began -> faults.add(span(began, endNanos, "")));
        faults.sort(
                (left, right) -> Long.compare(left.span().fromNanos(), right.span().fromNanos()));
        return new Intervals(faults, spans(phases, endNanos));
    }

    private static FaultSpan span(Event.FaultBegan began, long toNanos, String proof) {
        return new FaultSpan(began, new Span(began.atNanos(), toNanos), proof);
    }

    private static List<PhaseSpan> spans(List<Event.PhaseBegan> phases, long endNanos) {
        List<PhaseSpan> spans = new ArrayList<>();
        for (int at = 0; at < phases.size(); at++) {
            long next = at + 1 < phases.size() ? phases.get(at + 1).atNanos() : endNanos;
            Event.PhaseBegan phase = phases.get(at);
            spans.add(new PhaseSpan(phase.phase(), new Span(phase.atNanos(), next)));
        }
        return spans;
    }

    /** Returns the first time that the run was in a phase. */
    Optional<Span> phase(Event.Phase phase) {
        return phases.stream()
                .filter(span -> span.phase() == phase)
                .map(PhaseSpan::span)
                .findFirst();
    }
}
