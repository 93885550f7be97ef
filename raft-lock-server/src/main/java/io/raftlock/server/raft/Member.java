package io.raftlock.server.raft;

/** A node of the cluster: its name, and where its peers and its clients reach it. */
public record Member(String id, String raftHost, int raftPort, String clientHost, int clientPort) {

    String raftAddress() {
        return raftHost + ":" + raftPort;
    }
}
