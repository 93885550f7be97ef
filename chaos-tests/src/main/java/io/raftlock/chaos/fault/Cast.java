package io.raftlock.chaos.fault;

import io.raftlock.chaos.schedule.Role;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Who there is when a fault begins.
 *
 * @param nodes all, in their order
 * @param leader that has lately said that it leads, or empty
 */
public record Cast(List<String> nodes, Optional<String> leader, List<String> clients) {
    public Cast {
        nodes = List.copyOf(nodes);
        clients = List.copyOf(clients);
    }

    /**
     * Returns whom the role means.
     *
     * @param pick which of several, by a count that goes round
     * @return empty if it means nobody now, as the leader does while nobody leads
     */
    public Optional<Targets> of(Role role, int pick) {
        return switch (role) {
            case LEADER -> leader.map(one -> new Targets(List.of(one), List.of()));
            case FOLLOWER -> followers(pick, 1).map(some -> new Targets(some, List.of()));
            case MINORITY -> withLeader(pick, (nodes.size() - 1) / 2);
            case MAJORITY -> withLeader(pick, nodes.size() / 2 + 1);
            case ALL_NODES -> Optional.of(new Targets(nodes, List.of()));
            case CLIENT -> Optional.of(new Targets(List.of(), round(clients, pick, 1)));
            case ALL_CLIENTS -> Optional.of(new Targets(List.of(), clients));
            case EVERYBODY -> Optional.of(new Targets(nodes, clients));
        };
    }

    /** Returns the nodes that do not lead, from the pick on. */
    private Optional<List<String>> followers(int pick, int count) {
        return leader.map(
                one ->
                        round(
                                nodes.stream().filter(node -> !node.equals(one)).toList(),
                                pick,
                                count));
    }

    private Optional<Targets> withLeader(int pick, int count) {
        return followers(pick, count - 1)
                .map(
                        others -> {
                            List<String> all = new ArrayList<>(List.of(leader.orElseThrow()));
                            all.addAll(others);
                            return new Targets(all, List.of());
                        });
    }

    private static List<String> round(List<String> from, int pick, int count) {
        List<String> taken = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            taken.add(from.get(Math.floorMod(pick + i, from.size())));
        }
        return taken;
    }
}
