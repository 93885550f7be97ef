package io.raftlock.bench.peer;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.cp.lock.FencedLock;

import java.util.List;

/** Hazelcast's CP subsystem: locks with fencing tokens, of a Raft group that has no disk. */
final class HazelcastPeer implements Peer {
    private final HazelcastInstance client;

    private HazelcastPeer(HazelcastInstance client) {
        this.client = client;
    }

    static HazelcastPeer connect(List<String> endpoints) {
        ClientConfig config = new ClientConfig();
        config.setClusterName("bench");
        endpoints.forEach(config.getNetworkConfig()::addAddress);
        return new HazelcastPeer(HazelcastClient.newHazelcastClient(config));
    }

    @Override
    public PeerLock lock(String name) {
        FencedLock lock = client.getCPSubsystem().getLock(name.replace('/', '-'));
        return new PeerLock() {
            @Override
            public void acquire() {
                lock.lock();
            }

            @Override
            public void release() {
                lock.unlock();
            }
        };
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
