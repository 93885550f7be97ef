package io.raftlock.chaos.fault;

import io.raftlock.chaos.net.Link;
import io.raftlock.chaos.net.Shape;
import io.raftlock.chaos.schedule.Step;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Faults of links. Owned by the driver's thread. */
final class NetworkFaults {
    private static final long STORM_NANOS = 300_000_000;

    private final LinkPlan plan;
    private final List<String> nodes;
    private final List<String> clients;

    NetworkFaults(LinkPlan plan, List<String> nodes, List<String> clients) {
        this.plan = plan;
        this.nodes = List.copyOf(nodes);
        this.clients = List.copyOf(clients);
    }

    /** Cuts some nodes off from the others; clients still reach all. */
    Active isolate(Targets targets) {
        return new Cut(Partitions.apart(Set.copyOf(targets.nodes()), nodes));
    }

    Active halves(int pick) {
        return new Cut(Partitions.halves(nodes, pick));
    }

    Active bridge(int pick) {
        return new Cut(Partitions.bridge(nodes, pick));
    }

    Active ring(int pick) {
        return new Cut(Partitions.ring(nodes, pick));
    }

    /** Lets the first node hear no other one. */
    Active deaf(Targets targets) {
        return new Cut(Partitions.inwards(targets.nodes().get(0), nodes));
    }

    /** Lets no other node hear the first one. */
    Active mute(Targets targets) {
        return new Cut(Partitions.outwards(targets.nodes().get(0), nodes));
    }

    Active oneWay(Targets targets, int pick) {
        return new Cut(Set.of(link(targets.nodes().get(0), pick)));
    }

    /** Cuts the first node and a client off from all others. */
    Active strand(Targets targets, int pick) {
        Set<String> together = Set.of(targets.nodes().get(0), client(pick));
        return new Cut(Partitions.apart(together, everybody()));
    }

    /** Holds up all that is sent to and from them. */
    Active jam(Targets targets) {
        return new Cut(Partitions.apart(targets.all(), everybody()));
    }

    Active cutClients(Targets targets) {
        return new Cut(Link.between(Set.copyOf(targets.clients()), Set.copyOf(nodes)));
    }

    /** To the node first and then from it, as the pick goes on, with each of the others. */
    private Link link(String node, int pick) {
        List<String> others = nodes.stream().filter(other -> !other.equals(node)).toList();
        String other = others.get(pick / 2 % others.size());
        return pick % 2 == 0 ? new Link(other, node) : new Link(node, other);
    }

    private String client(int pick) {
        return clients.get(pick % clients.size());
    }

    /** Gives all links of theirs this shape. */
    Active shape(Targets targets, Shape shape) {
        return new Shaped(touching(targets), shape);
    }

    private Set<Link> touching(Targets targets) {
        Set<Link> links = new HashSet<>();
        for (String one : everybody()) {
            for (String other : nodes) {
                boolean touches = targets.all().contains(one) || targets.all().contains(other);
                if (!one.equals(other) && touches) {
                    links.addAll(Link.between(Set.of(one), Set.of(other)));
                }
            }
        }
        return links;
    }

    /** Breaks connections at once, and again every so often if it is a storm. */
    Active reset(Targets targets, boolean isStorm) {
        return new Reset(targets.all(), isStorm ? STORM_NANOS : Long.MAX_VALUE);
    }

    Active swizzle(Step step) {
        return new Swizzle(Partitions.shuffledLinks(nodes, step.pick()), step);
    }

    private List<String> everybody() {
        List<String> all = new ArrayList<>(nodes);
        all.addAll(clients);
        return all;
    }

    /** Any fault of links: what it did shows in what the network held up meanwhile. */
    private abstract class OfLinks implements Active {
        private final long hitsBefore = plan.network().hits();

        @Override
        public String end() {
            plan.mend(this);
            long hits = plan.network().hits() - hitsBefore;
            return hits > 0 ? "the network hit " + hits + " times" : "";
        }
    }

    private final class Cut extends OfLinks {
        Cut(Set<Link> links) {
            plan.cut(this, links);
        }
    }

    private final class Shaped extends OfLinks {
        Shaped(Set<Link> links, Shape shape) {
            Map<Link, Shape> shapes = new HashMap<>();
            links.forEach(link -> shapes.put(link, shape));
            plan.shape(this, shapes);
        }
    }

    private final class Reset implements Active {
        private final Set<String> hosts;
        private final long everyNanos;
        private long broken;
        private long nextNanos;

        Reset(Set<String> hosts, long everyNanos) {
            this.hosts = hosts;
            this.everyNanos = everyNanos;
            broken = plan.network().reset(hosts, Set.copyOf(everybody()));
        }

        @Override
        public void tick(long nowNanos) {
            if (everyNanos == Long.MAX_VALUE) {
                return;
            }
            if (nextNanos == 0) {
                nextNanos = nowNanos + everyNanos;
            } else if (nowNanos - nextNanos >= 0) {
                nextNanos = nowNanos + everyNanos;
                broken += plan.network().reset(hosts, Set.copyOf(everybody()));
            }
        }

        @Override
        public String end() {
            return broken > 0 ? "broke " + broken + " connections" : "";
        }
    }

    /**
     * Cuts the links of some nodes one after the other, waits, and mends them in another order, as
     * FoundationDB does.
     */
    private final class Swizzle extends OfLinks {
        private final List<Link> cutOrder;
        private final List<Link> mendOrder;
        private final long lengthNanos;
        private long beganNanos;
        private int done;

        Swizzle(List<Link> shuffled, Step step) {
            int some = shuffled.size() / 2;
            cutOrder = shuffled.subList(0, some);
            mendOrder = new ArrayList<>(cutOrder);
            Collections.shuffle(mendOrder, new Random(step.pick() + 1L));
            lengthNanos = step.holdMillis() * 1_000_000L;
        }

        @Override
        public void tick(long nowNanos) {
            if (beganNanos == 0) {
                beganNanos = nowNanos;
            }
            int due = (int) (2L * cutOrder.size() * (nowNanos - beganNanos) / lengthNanos) + 1;
            if (due != done) {
                done = due;
                plan.cut(this, cutAfter(due));
            }
        }

        private Set<Link> cutAfter(int events) {
            int size = cutOrder.size();
            Set<Link> cut = new HashSet<>(cutOrder.subList(0, Math.min(events, size)));
            mendOrder.subList(0, Math.max(0, Math.min(events - size, size))).forEach(cut::remove);
            return cut;
        }
    }
}
