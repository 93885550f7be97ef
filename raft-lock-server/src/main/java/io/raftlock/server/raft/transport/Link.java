package io.raftlock.server.raft.transport;

import com.alipay.sofa.jraft.util.Endpoint;

/** The way between this node and one peer, with the faults it is to show. */
record Link(Endpoint self, Endpoint peer, LinkFaults faults) {
    LinkFaults.Fate there(RaftMessage request) {
        return faults.fateOf(self, peer, request);
    }

    LinkFaults.Fate back(RaftMessage answer) {
        return faults.fateOf(peer, self, answer);
    }

    /** Whether a handshake would get through. */
    boolean isOpen() {
        return !there(RaftMessage.PING_REQUEST).lost() && !back(RaftMessage.ERROR_RESPONSE).lost();
    }
}
