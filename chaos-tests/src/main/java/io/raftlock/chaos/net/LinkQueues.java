package io.raftlock.chaos.net;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What tc is told, as text: at the port of each host that slow links lead to, one queue for each of
 * them. The packet filter sets which queue a packet goes into; all others wait for nothing.
 */
final class LinkQueues {
    /** How much waits at most; what comes then is dropped, and sent again by TCP. */
    private static final int WAITING_BYTES = 128 * 1024;

    private final Ports ports;
    private final Set<String> queued = new TreeSet<>();

    LinkQueues(Ports ports) {
        this.ports = ports;
    }

    /**
     * Returns what makes exactly these links slow, which is empty if there is nothing to change.
     *
     * @param shapes of which only the bytes per second matter here
     */
    String shape(Map<Link, Shape> shapes) {
        StringBuilder script = new StringBuilder();
        queued.forEach(host -> script.append("qdisc del dev " + device(host) + " root\n"));
        queued.clear();
        new TreeMap<>(shapes)
                .forEach(
                        (link, shape) -> {
                            if (shape.bytesPerSecond() > 0) {
                                script.append(queue(link, shape.bytesPerSecond()));
                            }
                        });
        return script.toString();
    }

    private String queue(Link link, int bytesPerSecond) {
        String device = device(link.to());
        String top =
                queued.add(link.to())
                        ? "qdisc add dev %s root handle 1: htb default 0\n".formatted(device)
                        : "";
        String queue = ports.of(link.from()).queue();
        // In tc, bps are bytes per second.
        return top
                + "class add dev %s parent 1: classid %s htb rate %dbps quantum 1514\n"
                        .formatted(device, queue, bytesPerSecond)
                + "qdisc add dev %s parent %s bfifo limit %d\n"
                        .formatted(device, queue, WAITING_BYTES);
    }

    private String device(String host) {
        return ports.of(host).device();
    }
}
