package io.raftlock.chaos.cluster;

import java.nio.file.Path;

/** What is fixed about one node of a cluster. All addresses are on 127.0.0.1. */
public record NodeSpec(String id, int raftPort, int clientPort, Path folder) {
    static final String HOST = "127.0.0.1";

    /** Returns the address for clients. */
    public String clientAddress() {
        return HOST + ":" + clientPort;
    }

    /** Returns the address for the other members. */
    public String raftAddress() {
        return HOST + ":" + raftPort;
    }

    /** Returns the folder that the node keeps its state in. */
    public Path dataDir() {
        return folder.resolve("data");
    }

    /** Returns the configuration file. */
    public Path configFile() {
        return folder.resolve("node.yaml");
    }

    /** Returns the file that the node's output goes to, over all its starts. */
    public Path logFile() {
        return folder.resolve("node.log");
    }
}
