package io.raftlock.server.raft.transport;

import com.alipay.sofa.jraft.util.Endpoint;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Loses every message to and from the nodes that are cut off. */
final class CutLinks implements LinkFaults {
    private final Set<Endpoint> cutOff = ConcurrentHashMap.newKeySet();

    void cutOff(Endpoint node) {
        cutOff.add(node);
    }

    void heal() {
        cutOff.clear();
    }

    @Override
    public Fate fateOf(Endpoint from, Endpoint to, RaftMessage message) {
        return cutOff.contains(from) || cutOff.contains(to) ? Fate.LOST : Fate.DELIVERED;
    }
}
