package io.raftlock.bench.peer;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;

import java.util.List;

/** Curator's mutex on ZooKeeper: ephemeral sequential nodes. */
final class CuratorPeer implements Peer {
    private static final int BASE_PAUSE_MILLIS = 100;
    private static final int MOST_TRIES = 10;

    private final CuratorFramework client;

    private CuratorPeer(CuratorFramework client) {
        this.client = client;
    }

    static CuratorPeer connect(List<String> endpoints) {
        CuratorFramework client =
                CuratorFrameworkFactory.newClient(
                        String.join(",", endpoints),
                        new ExponentialBackoffRetry(BASE_PAUSE_MILLIS, MOST_TRIES));
        client.start();
        return new CuratorPeer(client);
    }

    @Override
    public PeerLock lock(String name) {
        InterProcessMutex mutex = new InterProcessMutex(client, "/" + name);
        return new PeerLock() {
            @Override
            public void acquire() throws Exception {
                mutex.acquire();
            }

            @Override
            public void release() throws Exception {
                mutex.release();
            }
        };
    }

    @Override
    public void close() {
        client.close();
    }
}
