package io.raftlock.bench.peer;

import io.raftlock.client.DistributedLock;
import io.raftlock.client.LockGrant;
import io.raftlock.client.RaftLockClient;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** raft-lock: locks owned by threads, or by grants. */
public final class RaftLockPeer implements Peer {
    private final List<String> endpoints;
    private final RaftLockClient client;
    private volatile @Nullable KeepAlives keepAlives;

    private RaftLockPeer(List<String> endpoints, RaftLockClient client) {
        this.endpoints = List.copyOf(endpoints);
        this.client = client;
    }

    /**
     * Makes a client.
     *
     * @param clientName as the nodes show it
     */
    public static RaftLockPeer connect(List<String> endpoints, String clientName) {
        return new RaftLockPeer(
                endpoints,
                RaftLockClient.builder()
                        .endpoints(endpoints.toArray(String[]::new))
                        .clientName(clientName)
                        .build());
    }

    /** Returns the client itself. */
    public RaftLockClient client() {
        return client;
    }

    @Override
    public PeerLock lock(String name) {
        return PeerLock.of(client.lock(name));
    }

    @Override
    public AsyncPeerLock asyncLock(String name) {
        return new Granted(client.lock(name));
    }

    @Override
    public RenewablePeerLock renewableLock(String name) {
        return RenewablePeerLock.of(lock(name), keepAlives()::renew);
    }

    /** One connection for all callers, as the client has. */
    private KeepAlives keepAlives() {
        KeepAlives now = keepAlives;
        if (now == null) {
            now = KeepAlives.open(endpoints);
            keepAlives = now;
        }
        return now;
    }

    @Override
    public void forgetLocks() {
        KeepAlives now = keepAlives;
        if (now != null) {
            keepAlives = null;
            now.close();
        }
    }

    @Override
    public void close() {
        forgetLocks();
        client.close();
    }

    private static final class Granted implements AsyncPeerLock {
        private final DistributedLock lock;
        private @Nullable LockGrant grant;

        Granted(DistributedLock lock) {
            this.lock = lock;
        }

        @Override
        public CompletionStage<?> acquire() {
            return lock.acquireAsync().thenAccept(given -> grant = given);
        }

        @Override
        public CompletionStage<?> release() {
            LockGrant given = grant;
            if (given == null) {
                throw new IllegalStateException("not held: " + lock.name());
            }
            return given.releaseAsync();
        }
    }
}
