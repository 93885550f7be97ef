package io.raftlock.chaos.net;

import io.raftlock.chaos.host.Capabilities;
import io.raftlock.chaos.host.Capability;
import io.raftlock.chaos.host.Cleanup;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Hosts that are network namespaces of this machine, plugged into one switch that drops, repeats or
 * delays their packets. It takes no part in their connections, so what happens to those is what the
 * kernel does. Needs root. Owned by one thread.
 */
public final class NetnsNetwork implements Network {
    private static final Pattern PACKETS = Pattern.compile("packets (\\d+)");

    private final Cleanup cleanup;
    private final NetnsLayout layout;
    private final Set<Ability> abilities;
    private final PacketFilter filter;
    private final LinkQueues queues;
    private final Path hostsFile;
    private long resets;

    private NetnsNetwork(
            Cleanup cleanup, NetnsLayout layout, Set<Ability> abilities, Path hostsFile) {
        this.cleanup = cleanup;
        this.layout = layout;
        this.abilities = abilities;
        this.hostsFile = hostsFile;
        filter = new PacketFilter(layout.ports(), abilities.contains(Ability.DUPLICATION));
        queues = new LinkQueues(layout.ports());
    }

    /**
     * Makes the hosts.
     *
     * @param hosts names of all of them, each of which is a word
     * @param folder for the file of their addresses
     * @throws IllegalStateException if this machine cannot do it; the message says why
     */
    public static NetnsNetwork create(
            Cleanup cleanup, Capabilities capabilities, List<String> hosts, Path folder) {
        capabilities.require(Capability.NAMESPACES);
        capabilities.require(Capability.PACKET_FILTER);
        NetnsLayout layout = NetnsLayout.create(cleanup, hosts);
        Path hostsFile = folder.toAbsolutePath().resolve("hosts");
        layout.writeHosts(hostsFile);
        NetnsNetwork network =
                new NetnsNetwork(cleanup, layout, abilities(capabilities), hostsFile);
        network.filter(network.filter.tables());
        return network;
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.copyOf(abilities);
    }

    @Override
    public Host host(String name) {
        Port port = port(name);
        return new Host(name, port.address(), hostsFile, NetnsLayout.prefix(port.namespace()));
    }

    @Override
    public void cut(Set<Link> links) {
        filter(filter.cut(links));
    }

    @Override
    public void shape(Map<Link, Shape> shapes) {
        shapes.values().forEach(this::mustBeAble);
        String filters = filter.shape(shapes);
        String slow = queues.shape(shapes);
        filter(filters);
        if (!slow.isEmpty()) {
            inSwitch(List.of("tc", "-batch", "-"), slow);
        }
    }

    // The end that is broken off tells the other, if it can: a reset does not pass a cut link.
    @Override
    public int reset(Set<String> side, Set<String> other) {
        mustHave(Ability.RESET);
        int broken = 0;
        for (String host : side) {
            String others =
                    other.stream()
                            .filter(name -> !name.equals(host))
                            .map(name -> "dst " + port(name).address())
                            .collect(Collectors.joining(" or "));
            if (!others.isEmpty()) {
                List<String> command = List.of("ss", "-K", "-H", "-t", "-n", others);
                String killed = NetnsLayout.check(port(host).namespace(), command, "");
                broken += (int) killed.lines().filter(line -> !line.isBlank()).count();
            }
        }
        resets += broken;
        return broken;
    }

    @Override
    public long hits() {
        String counters = inSwitch(List.of("nft", "list", "counters"), "");
        return resets
                + PACKETS.matcher(counters)
                        .results()
                        .map((MatchResult found) -> found.group(1))
                        .mapToLong(Long::parseLong)
                        .sum();
    }

    @Override
    public void close() {
        // What could not be removed is still written down, and tried again when the run ends.
        List<String> failures = cleanup.removeNamespaces(layout.namespaces());
        if (!failures.isEmpty()) {
            System.err.println("left of the network: " + failures);
        }
    }

    private void filter(String script) {
        inSwitch(List.of("nft", "-f", "-"), script);
    }

    private String inSwitch(List<String> command, String input) {
        return NetnsLayout.check(layout.switchNamespace(), command, input);
    }

    private Port port(String name) {
        return layout.ports().of(name);
    }

    private void mustBeAble(Shape shape) {
        if (shape.lossPercent() > 0) {
            mustHave(Ability.LOSS);
        }
        if (shape.duplicatePercent() > 0) {
            mustHave(Ability.DUPLICATION);
        }
        if (shape.delayMillis() > 0 || shape.jitterMillis() > 0) {
            mustHave(Ability.DELAY);
        }
        if (shape.bytesPerSecond() > 0) {
            mustHave(Ability.THROTTLE);
        }
    }

    private void mustHave(Ability ability) {
        if (!abilities.contains(ability)) {
            throw new UnsupportedOperationException("this network cannot do " + ability);
        }
    }

    /** Returns what such a network can do on a machine. */
    public static Set<Ability> abilities(Capabilities capabilities) {
        Set<Ability> abilities = EnumSet.of(Ability.CUT, Ability.LOSS);
        if (capabilities.has(Capability.SOCKET_KILL)) {
            abilities.add(Ability.RESET);
        }
        if (capabilities.has(Capability.PACKET_DUPLICATION)) {
            abilities.add(Ability.DUPLICATION);
        }
        if (capabilities.has(Capability.PACKET_THROTTLE)) {
            abilities.add(Ability.THROTTLE);
        }
        return abilities;
    }
}
