package io.raftlock.chaos.net;

import java.nio.file.Path;
import java.util.List;

/**
 * Where a process runs, as far as the network is concerned. Hosts call each other by name.
 *
 * @param address that a server there binds to
 * @param hostsFile for {@code -Djdk.net.hosts.file}: how names of hosts resolve there
 * @param prefix of a command line that runs there, which may be empty; the process that it starts
 *     has the id of the program itself
 */
public record Host(String name, String address, Path hostsFile, List<String> prefix) {
    public Host {
        prefix = List.copyOf(prefix);
    }
}
