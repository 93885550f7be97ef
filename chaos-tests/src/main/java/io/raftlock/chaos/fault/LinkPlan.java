package io.raftlock.chaos.fault;

import io.raftlock.chaos.net.Link;
import io.raftlock.chaos.net.Network;
import io.raftlock.chaos.net.Shape;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What all faults together have done to the links: faults come and go in any order, and a link is
 * whole when the last one that cut it is gone. Owned by the driver's thread.
 */
public final class LinkPlan {
    private final Network network;
    private final Map<Object, Set<Link>> cuts = new LinkedHashMap<>();
    private final Map<Object, Map<Link, Shape>> shapes = new LinkedHashMap<>();

    public LinkPlan(Network network) {
        this.network = network;
    }

    public Network network() {
        return network;
    }

    /** Cuts these links, and no others, for this fault. */
    public void cut(Object fault, Set<Link> links) {
        cuts.put(fault, Set.copyOf(links));
        Set<Link> all = new HashSet<>();
        cuts.values().forEach(all::addAll);
        network.cut(all);
    }

    /** Shapes these links, and no others, for this fault; of two faults the later one counts. */
    public void shape(Object fault, Map<Link, Shape> links) {
        shapes.put(fault, Map.copyOf(links));
        Map<Link, Shape> all = new HashMap<>();
        shapes.values().forEach(all::putAll);
        network.shape(all);
    }

    /** Takes back all that was done for this fault. */
    public void mend(Object fault) {
        if (cuts.containsKey(fault)) {
            cut(fault, Set.of());
            cuts.remove(fault);
        }
        if (shapes.containsKey(fault)) {
            shape(fault, Map.of());
            shapes.remove(fault);
        }
    }
}
