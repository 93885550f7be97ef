package io.raftlock.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Looks whether a node can start with its configuration before anything is written. It is there for
 * clear complaints: what can change between this look and the start is checked again by the start.
 */
public final class Preflight {
    private Preflight() {}

    /**
     * Checks that both addresses are free, and that the data directory can be one.
     *
     * @param file where the configuration comes from
     * @throws ConfigException naming the first key with a value that cannot be used here and now
     */
    public static void check(ServerConfig config, Path file) {
        try {
            requireFree("raft-address", config.raftAddress());
            requireFree("client-address", config.clientAddress());
            config.adminAddress().ifPresent(address -> requireFree("admin-address", address));
            requireUsable(config.dataDir());
        } catch (ConfigException wrong) {
            throw wrong.in(file, 0);
        }
    }

    private static void requireFree(String key, HostPort address) {
        InetSocketAddress resolved = address.resolve();
        if (resolved.isUnresolved()) {
            throw new ConfigException(
                    key,
                    "host %s is unknown here: correct it, or the name service"
                            .formatted(address.host()));
        }
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(resolved);
        } catch (IOException cannotListen) {
            throw new ConfigException(
                    key,
                    ("cannot listen on %s (%s): stop the process that uses the port,"
                                    + " or set another address")
                            .formatted(address, cannotListen.getMessage()));
        }
    }

    private static void requireUsable(Path dataDir) {
        Path existing = dataDir;
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        if (!Files.isDirectory(existing)) {
            throw new ConfigException(
                    "data-dir", "%s is a file, expected a directory".formatted(existing));
        }
        if (!Files.isWritable(existing)) {
            throw new ConfigException(
                    "data-dir",
                    "%s cannot be written: give it to the user of the node".formatted(existing));
        }
    }
}
