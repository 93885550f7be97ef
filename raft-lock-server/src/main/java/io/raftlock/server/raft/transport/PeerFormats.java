package io.raftlock.server.raft.transport;

import com.alipay.sofa.jraft.util.Endpoint;

import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Which formats of entries and snapshots the members of the cluster read, by their own word. A
 * member is asked whenever it has been connected to, since it may have come back as another
 * version. Used by any thread.
 */
public final class PeerFormats {
    private final int own;
    private final ConcurrentMap<Endpoint, Integer> told = new ConcurrentHashMap<>();

    /**
     * Makes what one node knows.
     *
     * @param own the newest format that this node reads
     */
    public PeerFormats(int own) {
        this.own = own;
    }

    int own() {
        return own;
    }

    boolean isKnown(Endpoint peer) {
        return told.containsKey(peer);
    }

    void tell(Endpoint peer, int format) {
        told.put(peer, format);
    }

    void forget(Endpoint peer) {
        told.remove(peer);
    }

    /** Returns the newest format that this node and those read, or 0 if one of them is unknown. */
    public int ofAll(Collection<Endpoint> peers) {
        int newest = own;
        for (Endpoint peer : peers) {
            newest = Math.min(newest, told.getOrDefault(peer, 0));
        }
        return newest;
    }
}
