package io.raftlock.bench.peer;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.Pathable;
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
        InterProcessMutex mutex = new InterProcessMutex(client, path(name));
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

    /**
     * Nobody can ask for a ping. But each request keeps the session alive as a ping does, and this
     * one the server answers like a ping, by itself.
     */
    @Override
    public RenewablePeerLock renewableLock(String name) {
        return RenewablePeerLock.of(lock(name), () -> requireThere(path(name)));
    }

    private void requireThere(String path) throws Exception {
        // Not an ExistsBuilder: ZooKeeper's class that it answers with is there at run time only.
        Pathable<?> exists = client.checkExists();
        if (exists.forPath(path) == null) {
            throw new IllegalStateException("ZooKeeper does not know the lock " + path);
        }
    }

    private static String path(String name) {
        return "/" + name;
    }

    @Override
    public void close() {
        client.close();
    }
}
