package io.raftlock.bench.peer;

import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** Redisson on one Redis server, with its watchdog, which renews a lock of 30 s every 10 s. */
final class RedissonPeer implements Peer {
    /** Far from the ids of threads, which own the locks that block. */
    private static final AtomicLong OWNERS = new AtomicLong(1L << 32);

    private final RedissonClient client;
    private final boolean fair;

    private RedissonPeer(RedissonClient client, boolean fair) {
        this.client = client;
        this.fair = fair;
    }

    static RedissonPeer connect(List<String> endpoints, boolean fair) {
        Config config = new Config();
        config.useSingleServer().setAddress("redis://" + endpoints.get(0));
        return new RedissonPeer(Redisson.create(config), fair);
    }

    @Override
    public PeerLock lock(String name) {
        return PeerLock.of(of(name));
    }

    @Override
    public AsyncPeerLock asyncLock(String name) {
        RLock lock = of(name);
        long owner = OWNERS.getAndIncrement();
        return new AsyncPeerLock() {
            @Override
            public CompletionStage<?> acquire() {
                return lock.lockAsync(owner);
            }

            @Override
            public CompletionStage<?> release() {
                return lock.unlockAsync(owner);
            }
        };
    }

    @Override
    public void close() {
        client.shutdown();
    }

    private RLock of(String name) {
        return fair ? client.getFairLock(name) : client.getLock(name);
    }
}
