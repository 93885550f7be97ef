package io.raftlock.chaos.report;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.report.NodeRow.Lead;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What the events of a run say together. Keeps the calls and what is rare; of the beliefs and what
 * the store did there are too many, and few readers.
 *
 * @param span from the first event to the last
 * @param rare all other events in the order of time
 */
record Run(
        Span span,
        List<Call> calls,
        List<Event> rare,
        Intervals intervals,
        List<NodeRow> nodes,
        Gaps gaps) {
    /** Reads the events once; a question comes before its answer, otherwise the order is free. */
    static Run of(List<Event> events) {
        Calls calls = new Calls();
        List<Event> rare = new ArrayList<>();
        long from = Long.MAX_VALUE;
        long to = Long.MIN_VALUE;
        for (Event event : events) {
            from = Math.min(from, event.atNanos());
            to = Math.max(to, event.atNanos());
            if (event instanceof Event.Invoked invoked) {
                calls.asked(invoked);
            } else if (event instanceof Event.Returned returned) {
                calls.answered(returned);
            } else if (!(event instanceof Event.Believed || event instanceof Event.Stored)) {
                rare.add(event);
            }
        }
        Span span = events.isEmpty() ? new Span(0, 0) : new Span(from, to);
        rare.sort(Comparator.comparingLong(Event::atNanos));
        return of(span, calls.all(), rare);
    }

    private static Run of(Span span, List<Call> calls, List<Event> rare) {
        Intervals intervals = Intervals.of(rare, span.toNanos());
        List<NodeRow> nodes = NodeRows.of(rare, intervals.faults(), span.toNanos());
        return new Run(span, calls, rare, intervals, nodes, Gaps.of(calls, intervals, span));
    }

    List<FaultSpan> faults() {
        return intervals.faults();
    }

    /** Returns the beginning of each term that a node was seen to lead and that was new then. */
    List<Lead> leaderChanges() {
        List<Lead> leads =
                nodes.stream()
                        .flatMap(node -> node.leads().stream())
                        .sorted(Comparator.comparingLong(lead -> lead.span().fromNanos()))
                        .toList();
        List<Lead> changes = new ArrayList<>();
        long term = 0;
        for (Lead lead : leads) {
            if (lead.term() > term) {
                changes.add(lead);
                term = lead.term();
            }
        }
        return changes;
    }
}
