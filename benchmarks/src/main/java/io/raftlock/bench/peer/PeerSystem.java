package io.raftlock.bench.peer;

import java.util.List;

/** The systems that can be compared. */
public enum PeerSystem {
    RAFT_LOCK("raft-lock", true) {
        @Override
        public Peer connect(List<String> endpoints, int number) {
            return RaftLockPeer.connect(endpoints, "bench-" + number);
        }
    },
    /** Its lock is not fair. */
    REDISSON("Redisson on Redis", true) {
        @Override
        public Peer connect(List<String> endpoints, int number) {
            return RedissonPeer.connect(endpoints, false);
        }
    },
    REDISSON_FAIR("Redisson's fair lock", true) {
        @Override
        public Peer connect(List<String> endpoints, int number) {
            return RedissonPeer.connect(endpoints, true);
        }
    },
    HAZELCAST("Hazelcast CP", false) {
        @Override
        public Peer connect(List<String> endpoints, int number) {
            return HazelcastPeer.connect(endpoints);
        }
    },
    ZOOKEEPER("Curator on ZooKeeper", false) {
        @Override
        public Peer connect(List<String> endpoints, int number) {
            return CuratorPeer.connect(endpoints);
        }
    },
    ETCD("jetcd on etcd", true) {
        @Override
        public Peer connect(List<String> endpoints, int number) {
            return EtcdPeer.connect(endpoints);
        }
    };

    private final String label;
    private final boolean async;

    PeerSystem(String label, boolean async) {
        this.label = label;
        this.async = async;
    }

    /** Returns its name for people. */
    public String label() {
        return label;
    }

    /** Whether its client has methods that do not block. */
    public boolean isAsync() {
        return async;
    }

    /** Whether a caller can renew its lock, or the session, and wait for the answer. */
    public boolean canRenew() {
        return this != HAZELCAST;
    }

    /** Whether what it answers is known to a majority of its servers. */
    public boolean isConsensus() {
        return this != REDISSON && this != REDISSON_FAIR;
    }

    /**
     * Makes a client.
     *
     * @param endpoints host:port of each server
     * @param number of the client, for its name
     */
    public abstract Peer connect(List<String> endpoints, int number);
}
