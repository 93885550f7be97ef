package io.raftlock.bench.peer;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;

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
        // Else each client tells standard error at length what it connects to.
        config.setProperty("hazelcast.logging.type", "slf4j");
        endpoints.forEach(config.getNetworkConfig()::addAddress);
        return new HazelcastPeer(HazelcastClient.newHazelcastClient(config));
    }

    @Override
    public PeerLock lock(String name) {
        return PeerLock.of(client.getCPSubsystem().getLock(name.replace('/', '-')));
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
