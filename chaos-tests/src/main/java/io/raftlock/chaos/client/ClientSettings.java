package io.raftlock.chaos.client;

import java.util.List;

/**
 * Who a client process is and what it does: its arguments.
 *
 * @param process name of the host
 * @param client name of this life, and of its sessions
 * @param life number that no other life of any client of the run has, from 1
 * @param seed of all its choices
 * @param endpoints of the nodes, each host:port
 */
record ClientSettings(
        String process,
        String client,
        long life,
        long seed,
        WorkloadSpec workload,
        List<String> endpoints) {
    private static final int ARGUMENTS = 6;

    ClientSettings {
        endpoints = List.copyOf(endpoints);
    }

    List<String> toArguments() {
        return List.of(
                process,
                client,
                Long.toString(life),
                Long.toString(seed),
                workload.encode(),
                String.join(",", endpoints));
    }

    /**
     * Returns what {@link #toArguments} has written.
     *
     * @throws IllegalArgumentException if it is something else
     */
    static ClientSettings parse(List<String> arguments) {
        if (arguments.size() != ARGUMENTS) {
            throw new IllegalArgumentException(
                    "arguments: process, client, life, seed, workload, endpoints");
        }
        return new ClientSettings(
                arguments.get(0),
                arguments.get(1),
                Long.parseLong(arguments.get(2)),
                Long.parseLong(arguments.get(3)),
                WorkloadSpec.decode(arguments.get(4)),
                List.of(arguments.get(5).split(",")));
    }
}
