package io.raftlock.chaos.net;

import io.raftlock.chaos.host.Cleanup;
import io.raftlock.chaos.host.Programs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Network namespaces, one for each host and one for a switch that they are all plugged into. None
 * of them has a way to the machine's own network.
 *
 * @param switchNamespace that all packets pass through
 * @param ports by which the hosts are plugged in
 */
record NetnsLayout(String switchNamespace, Ports ports) {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*");
    private static final int MAX_HOSTS = 250;

    /** Makes the namespaces, and writes each down before it is there. */
    static NetnsLayout create(Cleanup cleanup, List<String> hosts) {
        if (hosts.size() > MAX_HOSTS) {
            throw new IllegalArgumentException("more than " + MAX_HOSTS + " hosts");
        }
        if (!hosts.stream().allMatch(host -> NAME.matcher(host).matches())) {
            throw new IllegalArgumentException("not all are words: " + hosts);
        }
        Map<String, Port> ports = new LinkedHashMap<>();
        hosts.forEach(host -> ports.put(host, new Port(ports.size() + 1, cleanup.namespace(host))));
        NetnsLayout layout = new NetnsLayout(cleanup.namespace("switch"), new Ports(ports));
        layout.makeNamespaces();
        layout.plug();
        layout.ports.all().forEach(NetnsLayout::address);
        return layout;
    }

    /**
     * Returns the beginning of a command line that runs in a namespace. It is nsenter, for {@code
     * ip netns exec} makes a mount namespace too, which holds on to the disks of other nodes.
     */
    static List<String> prefix(String namespace) {
        return List.of("nsenter", "--net=/run/netns/" + namespace);
    }

    /** Runs a program in a namespace that has to succeed, and returns its output. */
    static String check(String namespace, List<String> command, String input) {
        List<String> line = new ArrayList<>(prefix(namespace));
        line.addAll(command);
        return Programs.check(line, input);
    }

    List<String> namespaces() {
        List<String> all = new ArrayList<>(ports.all().stream().map(Port::namespace).toList());
        all.add(switchNamespace);
        return all;
    }

    /** Writes the file by which programs on the hosts find each other. */
    void writeHosts(Path file) {
        String lines =
                ports.byHost().entrySet().stream()
                        .map(entry -> entry.getValue().address() + " " + entry.getKey() + "\n")
                        .collect(Collectors.joining("", "127.0.0.1 localhost\n", ""));
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void makeNamespaces() {
        String script =
                namespaces().stream()
                        .map(name -> "netns add " + name + "\n")
                        .collect(Collectors.joining());
        Programs.check(List.of("ip", "-batch", "-"), script);
    }

    private void plug() {
        String bridge =
                """
                link add br0 type bridge mcast_snooping 0
                link set br0 addrgenmode none up
                """;
        String links =
                ports.all().stream()
                        .map(
                                port ->
                                        """
                                        link add %1$s type veth peer name eth0 netns %2$s
                                        link set %1$s addrgenmode none master br0 up
                                        """
                                                .formatted(port.device(), port.namespace()))
                        .collect(Collectors.joining());
        check(switchNamespace, List.of("ip", "-batch", "-"), bridge + links);
    }

    private static void address(Port port) {
        String script =
                """
                link set lo up
                addr add %s/24 dev eth0
                link set eth0 addrgenmode none up
                """
                        .formatted(port.address());
        check(port.namespace(), List.of("ip", "-batch", "-"), script);
    }
}
