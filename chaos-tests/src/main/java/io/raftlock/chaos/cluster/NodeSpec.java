package io.raftlock.chaos.cluster;

import java.nio.file.Path;

/** What is fixed about one node of a cluster. All addresses are on 127.0.0.1. */
public record NodeSpec(String id, int raftPort, int clientPort, int adminPort, Path folder) {
    static final String HOST = "127.0.0.1";

    /** Lays out a node on free ports. */
    public static NodeSpec on(LoopbackPorts ports, String id, Path folder) {
        return new NodeSpec(id, ports.next(), ports.next(), ports.next(), folder);
    }

    /** Returns the address for clients. */
    public String clientAddress() {
        return HOST + ":" + clientPort;
    }

    /** Returns the address for the other members. */
    public String raftAddress() {
        return HOST + ":" + raftPort;
    }

    /** Returns the address that serves metrics. */
    public String adminAddress() {
        return HOST + ":" + adminPort;
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
