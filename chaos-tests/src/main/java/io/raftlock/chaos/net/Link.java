package io.raftlock.chaos.net;

import java.util.HashSet;
import java.util.Set;

/**
 * One direction between two hosts: what the one sends to the other, whoever of them connected.
 *
 * @param from name of the host that sends
 * @param to name of the host that receives
 */
public record Link(String from, String to) implements Comparable<Link> {
    /** Returns both directions of all pairs with one host on each side. */
    public static Set<Link> between(Set<String> side, Set<String> other) {
        Set<Link> links = new HashSet<>();
        for (String one : side) {
            for (String two : other) {
                links.add(new Link(one, two));
                links.add(new Link(two, one));
            }
        }
        return links;
    }

    @Override
    public int compareTo(Link other) {
        int byFrom = from.compareTo(other.from);
        return byFrom == 0 ? to.compareTo(other.to) : byFrom;
    }

    @Override
    public String toString() {
        return from + ">" + to;
    }
}
