package io.raftlock.bench.peer;

import io.raftlock.client.DistributedLock;
import io.raftlock.client.LockGrant;
import io.raftlock.client.RaftLockClient;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** raft-lock: locks owned by threads, or by grants. */
public final class RaftLockPeer implements Peer {
    private final RaftLockClient client;

    private RaftLockPeer(RaftLockClient client) {
        this.client = client;
    }

    /**
     * Makes a client.
     *
     * @param clientName as the nodes show it
     */
    public static RaftLockPeer connect(List<String> endpoints, String clientName) {
        return new RaftLockPeer(
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
    public void close() {
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
