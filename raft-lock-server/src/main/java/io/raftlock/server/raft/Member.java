package io.raftlock.server.raft;

import com.alipay.sofa.jraft.entity.PeerId;

/** A node of the cluster: its name, and where its peers reach it. */
public record Member(String id, String raftHost, int raftPort) {

    String raftAddress() {
        return raftHost + ":" + raftPort;
    }

    PeerId peer() {
        return new PeerId(raftHost, raftPort);
    }
}
