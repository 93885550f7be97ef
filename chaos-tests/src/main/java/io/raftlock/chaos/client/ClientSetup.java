package io.raftlock.chaos.client;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * How a client process is to be run, in each of its lives.
 *
 * @param seed of its first life; later ones have others
 * @param endpoints of the nodes, each host:port
 * @param folder that its file of errors goes to
 * @param jvmFlags beside the usual ones
 * @param environment beside that of the driver
 */
public record ClientSetup(
        WorkloadSpec workload,
        long seed,
        List<String> endpoints,
        Path folder,
        List<String> jvmFlags,
        Map<String, String> environment) {
    public ClientSetup {
        endpoints = List.copyOf(endpoints);
        jvmFlags = List.copyOf(jvmFlags);
        environment = Map.copyOf(environment);
    }
}
