package io.raftlock.chaos.net;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Who has which address. All of 127.0.0.0/8 is this machine, so each pair of a caller and a node
 * has an address of its own: at which one it is called tells who calls whom.
 *
 * @param net second byte of all addresses
 * @param nodes that listen, in order
 * @param others that only call
 */
record LoopbackPlan(int net, List<String> nodes, List<String> others) {
    private static final int FIRST_OTHER = 100;
    private static final int FIRST_DOOR = 10;
    private static final int MOST_NODES = 90;
    private static final int MOST_OTHERS = 100;

    LoopbackPlan {
        nodes = List.copyOf(nodes);
        others = List.copyOf(others);
        if (nodes.size() > MOST_NODES || others.size() > MOST_OTHERS) {
            throw new IllegalArgumentException("too many hosts: " + nodes + ", " + others);
        }
        if (names(nodes, others).stream().distinct().count() < nodes.size() + others.size()) {
            throw new IllegalArgumentException("a name comes twice: " + nodes + ", " + others);
        }
    }

    /** Returns all hosts, the nodes first. */
    List<String> names() {
        return names(nodes, others);
    }

    private static List<String> names(List<String> nodes, List<String> others) {
        List<String> all = new ArrayList<>(nodes);
        all.addAll(others);
        return all;
    }

    /** Returns the host's own address, at which it listens. */
    String address(String name) {
        int node = nodes.indexOf(name);
        int last = node < 0 ? FIRST_OTHER + others.indexOf(name) : node + 1;
        return "127.%d.0.%d".formatted(net, last);
    }

    /** Returns the address at which that host finds the node, which is its own for itself. */
    String door(String caller, String node) {
        return caller.equals(node)
                ? address(node)
                : "127.%d.%d.%d"
                        .formatted(
                                net, FIRST_DOOR + names().indexOf(caller), nodes.indexOf(node) + 1);
    }

    /** Writes a file of names for each host, and returns the hosts by name. */
    Map<String, Host> writeHosts(Path folder) throws IOException {
        Files.createDirectories(folder);
        Map<String, Host> hosts = new LinkedHashMap<>();
        for (String name : names()) {
            Path file = folder.resolve(name + ".hosts").toAbsolutePath();
            Files.write(file, lines(name));
            hosts.put(name, new Host(name, address(name), file, List.of()));
        }
        return hosts;
    }

    private List<String> lines(String caller) {
        List<String> lines = new ArrayList<>(List.of("127.0.0.1 localhost"));
        @Nullable String machine = System.getenv("HOSTNAME");
        if (machine != null && !machine.isBlank()) {
            lines.add("127.0.0.1 " + machine);
        }
        if (!nodes.contains(caller)) {
            lines.add(address(caller) + " " + caller);
        }
        nodes.forEach(node -> lines.add(door(caller, node) + " " + node));
        return lines;
    }
}
