package io.raftlock.chaos.fault;

import io.raftlock.chaos.net.Link;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * The shapes of partitions, as sets of links that are cut. All are functions of their arguments.
 */
final class Partitions {
    private Partitions() {}

    /** These apart from all other hosts that are named. */
    static Set<Link> apart(Set<String> some, List<String> all) {
        Set<String> rest = new HashSet<>(all);
        rest.removeAll(some);
        return Link.between(some, rest);
    }

    /** Two halves; the first has a node fewer if the number is odd. */
    static Set<Link> halves(List<String> nodes, int pick) {
        List<String> order = shuffled(nodes, pick);
        return apart(Set.copyOf(order.subList(0, order.size() / 2)), nodes);
    }

    /** Two sides, and one node that both of them reach. */
    static Set<Link> bridge(List<String> nodes, int pick) {
        List<String> order = shuffled(nodes, pick);
        int middle = order.size() / 2;
        return Link.between(
                Set.copyOf(order.subList(0, middle)),
                Set.copyOf(order.subList(middle + 1, order.size())));
    }

    /**
     * Each node reaches a majority, and no two of them the same one: the majorities ring of Jepsen.
     * Three nodes are a line then, as on a ring of three all reach all.
     */
    static Set<Link> ring(List<String> nodes, int pick) {
        List<String> order = shuffled(nodes, pick);
        int size = order.size();
        if (size <= 3) {
            return Link.between(Set.of(order.get(0)), Set.of(order.get(size - 1)));
        }
        int reach = size / 2 / 2;
        Set<Link> cut = new HashSet<>();
        for (int one = 0; one < size; one++) {
            for (int other = one + 1; other < size; other++) {
                int distance = Math.min(other - one, size - (other - one));
                if (distance > reach) {
                    cut.addAll(Link.between(Set.of(order.get(one)), Set.of(order.get(other))));
                }
            }
        }
        return cut;
    }

    /** What others send to it. */
    static Set<Link> inwards(String node, List<String> nodes) {
        return toOrFrom(node, nodes, true);
    }

    /** What it sends to others. */
    static Set<Link> outwards(String node, List<String> nodes) {
        return toOrFrom(node, nodes, false);
    }

    private static Set<Link> toOrFrom(String node, List<String> nodes, boolean isTo) {
        Set<Link> links = new HashSet<>();
        for (String other : nodes) {
            if (!other.equals(node)) {
                links.add(isTo ? new Link(other, node) : new Link(node, other));
            }
        }
        return links;
    }

    /** All links between the nodes in an order of chance. */
    static List<Link> shuffledLinks(List<String> nodes, int pick) {
        List<Link> links = new ArrayList<>();
        for (String node : nodes) {
            links.addAll(outwards(node, nodes).stream().sorted().toList());
        }
        Collections.shuffle(links, new Random(pick));
        return links;
    }

    private static List<String> shuffled(List<String> nodes, int pick) {
        List<String> order = new ArrayList<>(nodes);
        Collections.shuffle(order, new Random(pick));
        return order;
    }
}
