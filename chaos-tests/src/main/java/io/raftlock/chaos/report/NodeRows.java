package io.raftlock.chaos.report;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.report.NodeRow.Lead;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Finds out from the events of a run which node was up, paused or leader and when. */
final class NodeRows {
    private static final Set<String> STILL = Set.of("PAUSE", "FREEZE");

    private final Map<String, Long> upSince = new TreeMap<>();
    private final Map<String, Event.NodeSeen> leadsSince = new TreeMap<>();
    private final Map<String, NodeRow> rows = new TreeMap<>();

    private NodeRows() {}

    /**
     * Returns one row for each node, by name.
     *
     * @param events in the order of time
     */
    static List<NodeRow> of(List<Event> events, List<FaultSpan> faults, long endNanos) {
        NodeRows rows = new NodeRows();
        events.forEach(rows::see);
        rows.rows.keySet().forEach(node -> rows.down(node, endNanos));
        faults.stream().filter(fault -> STILL.contains(fault.kind())).forEach(rows::still);
        return List.copyOf(rows.rows.values());
    }

    private void see(Event event) {
        if (event instanceof Event.NodeStarted started) {
            row(started.node());
            upSince.putIfAbsent(started.node(), started.atNanos());
        } else if (event instanceof Event.NodeEnded ended) {
            down(ended.node(), ended.atNanos());
        } else if (event instanceof Event.NodeSeen seen) {
            said(seen);
        }
    }

    private void said(Event.NodeSeen seen) {
        row(seen.node());
        Event.NodeSeen before = leadsSince.get(seen.node());
        boolean leads = isLeader(seen);
        if (before != null && !(leads && before.term() == seen.term())) {
            leadsNoMore(seen.node(), seen.atNanos());
        }
        if (leads) {
            leadsSince.putIfAbsent(seen.node(), seen);
        }
    }

    static boolean isLeader(Event.NodeSeen seen) {
        return seen.role().equalsIgnoreCase("leader");
    }

    private void down(String node, long atNanos) {
        Long since = upSince.remove(node);
        if (since != null) {
            row(node).up().add(new Span(since, atNanos));
        }
        leadsNoMore(node, atNanos);
    }

    private void leadsNoMore(String node, long atNanos) {
        Event.NodeSeen since = leadsSince.remove(node);
        if (since != null) {
            row(node).leads().add(new Lead(node, since.term(), new Span(since.atNanos(), atNanos)));
        }
    }

    private void still(FaultSpan pause) {
        rows.values().stream()
                .filter(row -> pause.isFor(row.node()))
                .forEach(row -> row.still().add(pause.span()));
    }

    private NodeRow row(String node) {
        return rows.computeIfAbsent(
                node,
                name -> new NodeRow(name, new ArrayList<>(), new ArrayList<>(), new ArrayList<>()));
    }
}
