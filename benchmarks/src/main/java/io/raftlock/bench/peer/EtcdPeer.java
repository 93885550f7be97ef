package io.raftlock.bench.peer;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.support.CloseableClient;
import io.grpc.stub.StreamObserver;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * The lock service of etcd by jetcd. It gives the lock again to who has it by the same lease, so
 * each lock has a lease of its own, which the client renews.
 */
final class EtcdPeer implements Peer {
    private static final long TTL_SECONDS = 10;
    private static final long GRANT_BOUND_SECONDS = 30;

    private final Client client;

    /** Those that this client renews, by their identifiers. */
    private final Map<Long, CloseableClient> renewals = new ConcurrentHashMap<>();

    private EtcdPeer(Client client) {
        this.client = client;
    }

    static EtcdPeer connect(List<String> endpoints) {
        String[] addresses =
                endpoints.stream().map(each -> "http://" + each).toArray(String[]::new);
        return new EtcdPeer(Client.builder().endpoints(addresses).build());
    }

    @Override
    public PeerLock lock(String name) {
        return blocking(leased(name));
    }

    @Override
    public RenewablePeerLock renewableLock(String name) {
        Leased lock = leased(name);
        return RenewablePeerLock.of(blocking(lock), () -> lock.renew().get());
    }

    private static PeerLock blocking(Leased lock) {
        return new PeerLock() {
            @Override
            public void acquire() throws ExecutionException, InterruptedException {
                lock.acquire().toCompletableFuture().get();
            }

            @Override
            public void release() throws ExecutionException, InterruptedException {
                lock.release().toCompletableFuture().get();
            }
        };
    }

    @Override
    public AsyncPeerLock asyncLock(String name) {
        return leased(name);
    }

    private Leased leased(String name) {
        return new Leased(
                client, ByteSequence.from(name, StandardCharsets.UTF_8), this::lease, this::end);
    }

    private long lease() {
        try {
            long lease =
                    client.getLeaseClient()
                            .grant(TTL_SECONDS)
                            .get(GRANT_BOUND_SECONDS, TimeUnit.SECONDS)
                            .getID();
            renewals.put(lease, client.getLeaseClient().keepAlive(lease, new Quiet()));
            return lease;
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("etcd gives no lease", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void forgetLocks() {
        renewals.keySet().forEach(this::end);
    }

    private void end(long lease) {
        CloseableClient renewal = renewals.remove(lease);
        if (renewal != null) {
            renewal.close();
            client.getLeaseClient().revoke(lease);
        }
    }

    @Override
    public void close() {
        client.close();
    }

    private static final class Leased implements AsyncPeerLock {
        private final Client client;
        private final ByteSequence name;
        private final LongSupplier leases;
        private final LongConsumer ends;
        private long lease;
        private volatile boolean failed;
        private @Nullable ByteSequence key;

        Leased(Client client, ByteSequence name, LongSupplier leases, LongConsumer ends) {
            this.client = client;
            this.name = name;
            this.leases = leases;
            this.ends = ends;
            this.lease = leases.getAsLong();
        }

        /** With another lease if it failed before: the one there was may be over. */
        @Override
        public CompletionStage<?> acquire() {
            if (failed) {
                ends.accept(lease);
                lease = leases.getAsLong();
                failed = false;
            }
            return client.getLockClient()
                    .lock(name, lease)
                    .thenAccept(response -> key = response.getKey())
                    .whenComplete((nothing, failure) -> failed = failure != null);
        }

        @Override
        public CompletionStage<?> release() {
            ByteSequence held = key;
            if (held == null) {
                throw new IllegalStateException("not held: " + name);
            }
            return client.getLockClient().unlock(held);
        }

        /** Fails if the lease is over. */
        CompletableFuture<LeaseKeepAliveResponse> renew() {
            return client.getLeaseClient().keepAliveOnce(lease);
        }
    }

    /** Renewals that fail show as locks that cannot be had. */
    private static final class Quiet implements StreamObserver<LeaseKeepAliveResponse> {
        @Override
        public void onNext(LeaseKeepAliveResponse renewed) {}

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {}
    }
}
