package io.raftlock.bench.peer;

import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RScript;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.LongCodec;
import org.redisson.config.Config;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** Redisson on one Redis server, with its watchdog, which renews a lock of 30 s every 10 s. */
final class RedissonPeer implements Peer {
    /** Far from the ids of threads, which own the locks that block. */
    private static final AtomicLong OWNERS = new AtomicLong(1L << 32);

    /** What the watchdog of Redisson 3.50 sends: {@code org.redisson.renewal.LockTask}. */
    private static final String RENEWAL =
            "local result = {} "
                    + "for i = 1, #KEYS, 1 do "
                    + "if (redis.call('hexists', KEYS[i], ARGV[i + 1]) == 1) then "
                    + "redis.call('pexpire', KEYS[i], ARGV[1]); "
                    + "table.insert(result, 1); "
                    + "else "
                    + "table.insert(result, 0); "
                    + "end; "
                    + "end; "
                    + "return result;";

    private static final List<Long> RENEWED = List.of(1L);

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
    public RenewablePeerLock renewableLock(String name) {
        RScript script = client.getScript(LongCodec.INSTANCE);
        return RenewablePeerLock.of(lock(name), () -> renew(script, name));
    }

    private void renew(RScript script, String name) {
        List<Long> result =
                script.eval(
                        RScript.Mode.READ_WRITE,
                        RENEWAL,
                        RScript.ReturnType.MULTI,
                        List.of(name),
                        client.getConfig().getLockWatchdogTimeout(),
                        holder());
        if (!result.equals(RENEWED)) {
            throw new IllegalStateException("Redis does not know the hold of " + name);
        }
    }

    /** Returns the name of this thread among those that hold locks. */
    private String holder() {
        return client.getId() + ":" + Thread.currentThread().getId();
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
