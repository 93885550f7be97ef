package io.raftlock.chaos.run;

import io.raftlock.chaos.fault.NodeFacts;
import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.node.StatusWatcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What nodes have said, in answers and in their logs. Owned by the driver's thread. */
final class NodeLogs implements NodeFacts {
    private static final Pattern LOADED = Pattern.compile("Snapshot loaded at entry (\\d+)");

    private final StatusWatcher watcher;
    private final Map<String, NodeSeat> nodes;

    NodeLogs(StatusWatcher watcher, Map<String, NodeSeat> nodes) {
        this.watcher = watcher;
        this.nodes = nodes;
    }

    @Override
    public long appliedIndex(String node) {
        return watcher.latest(node).map(Event.NodeSeen::appliedIndex).orElse(0L);
    }

    @Override
    public long loadedSnapshot(String node) {
        NodeSeat seat = nodes.get(node);
        if (seat == null) {
            throw new IllegalArgumentException("no node " + node);
        }
        try {
            String log = Files.readString(seat.node().settings().logFile());
            return LOADED.matcher(log)
                    .results()
                    .reduce((first, second) -> second)
                    .map((MatchResult match) -> Long.parseLong(match.group(1)))
                    .orElse(0L);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
