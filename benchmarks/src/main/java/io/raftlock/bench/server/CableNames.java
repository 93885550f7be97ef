package io.raftlock.bench.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names and addresses of the namespaces and cables of one process, which no other one has.
 *
 * @param pid of the process
 */
record CableNames(long pid) {
    private static final String BEGINNING = "rlbench";
    private static final Pattern NAMESPACE = Pattern.compile(BEGINNING + "(\\d+)-(hub|s\\d)");
    private static final int NETWORKS = 256;
    private static final int CLIENTS = 254;

    /** Returns the names of which a namespace is one; empty if it is none of ours. */
    static Optional<CableNames> ofNamespace(String name) {
        Matcher matcher = NAMESPACE.matcher(name);
        return matcher.matches()
                ? Optional.of(new CableNames(Long.parseLong(matcher.group(1))))
                : Optional.empty();
    }

    /** Returns the namespace of the switch. */
    String hub() {
        return BEGINNING + pid + "-hub";
    }

    /** Returns the namespace of a server. */
    String server(int number) {
        return BEGINNING + pid + "-s" + number;
    }

    /** Returns all namespaces, that of the switch first. */
    List<String> namespaces(int servers) {
        List<String> all = new ArrayList<>(List.of(hub()));
        for (int number = 1; number <= servers; number++) {
            all.add(server(number));
        }
        return all;
    }

    /** Returns the interface in this machine's own network: 15 characters at most. */
    String uplink() {
        return BEGINNING + pid;
    }

    /** Returns the end of a server's cable at the switch. */
    String port(int number) {
        return "port" + number;
    }

    String network() {
        return prefix() + "0/24";
    }

    String address(int number) {
        return prefix() + number;
    }

    /** Returns the address from which clients come, with the length of its network. */
    String clientAddress() {
        return prefix() + CLIENTS + "/24";
    }

    private String prefix() {
        return "10.213.%d.".formatted(pid % NETWORKS);
    }
}
