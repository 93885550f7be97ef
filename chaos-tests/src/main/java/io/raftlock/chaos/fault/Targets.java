package io.raftlock.chaos.fault;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The hosts that a role has come to mean.
 *
 * @param nodes in the order in which they were found, the leader first if it is among them
 */
public record Targets(List<String> nodes, List<String> clients) {
    public Targets {
        nodes = List.copyOf(nodes);
        clients = List.copyOf(clients);
    }

    /** Returns nodes and clients. */
    public Set<String> all() {
        Set<String> all = new TreeSet<>(nodes);
        all.addAll(clients);
        return all;
    }

    @Override
    public String toString() {
        return String.join(",", all());
    }
}
