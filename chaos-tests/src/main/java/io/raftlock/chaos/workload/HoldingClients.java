package io.raftlock.chaos.workload;

import io.raftlock.client.LockGrant;
import io.raftlock.client.LossReason;
import io.raftlock.client.RaftLockClient;
import io.raftlock.client.SessionListener;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Many clients, each with a session and a thread of its own and one lock that it holds all the
 * time. They share the threads of their callbacks.
 */
public final class HoldingClients implements AutoCloseable {
    private static final int CALLBACK_THREADS = 2;
    private static final int CLOSING_THREADS = 32;

    private final List<RaftLockClient> clients = new ArrayList<>();
    private final List<LockGrant> grants = new ArrayList<>();
    private final ExecutorService callbacks = Executors.newFixedThreadPool(CALLBACK_THREADS);
    private final Queue<String> losses = new ConcurrentLinkedQueue<>();
    private final AtomicLong suspects = new AtomicLong();
    private final AtomicLong longestUnconfirmedNanos = new AtomicLong();
    private final String[] endpoints;
    private final Duration ttl;
    private volatile boolean closing;

    private HoldingClients(String[] endpoints, Duration ttl) {
        this.endpoints = endpoints.clone();
        this.ttl = ttl;
    }

    /** Makes the clients, and returns when each holds its lock. */
    public static HoldingClients open(String[] endpoints, int count, Duration ttl, Duration bound)
            throws InterruptedException, ExecutionException, TimeoutException {
        HoldingClients all = new HoldingClients(endpoints, ttl);
        try {
            List<CompletableFuture<LockGrant>> wanted = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                wanted.add(all.newClient("holder-" + i).lock(nameOf(i)).acquireAsync());
            }
            CompletableFuture.allOf(wanted.toArray(CompletableFuture<?>[]::new))
                    .get(bound.toMillis(), TimeUnit.MILLISECONDS);
            wanted.forEach(grant -> all.grants.add(grant.join()));
            return all;
        } catch (InterruptedException
                | ExecutionException
                | TimeoutException
                | RuntimeException failure) {
            all.close();
            throw failure;
        }
    }

    /** Returns the name of the lock that the client of that number holds. */
    public static String nameOf(int client) {
        return "held/" + client;
    }

    public int size() {
        return grants.size();
    }

    public RaftLockClient client(int number) {
        return clients.get(number);
    }

    public LockGrant grant(int number) {
        return grants.get(number);
    }

    /** Returns what the clients were told of lost sessions, and of holds that are over. */
    public List<String> losses() {
        List<String> found = new ArrayList<>(losses);
        for (LockGrant grant : grants) {
            if (!grant.isHeld()) {
                found.add(grant.lockName() + " is not held any more");
            }
        }
        return found;
    }

    /** Returns how many times a client was told that its session is not confirmed. */
    public long suspects() {
        return suspects.get();
    }

    /** Whether the cluster has confirmed each session after that moment. Call it often. */
    public boolean allConfirmedSince(long nanos) {
        long now = System.nanoTime();
        long longest = 0;
        for (LockGrant grant : grants) {
            longest = Math.max(longest, unconfirmedNanos(grant));
        }
        longestUnconfirmedNanos.accumulateAndGet(longest, Math::max);
        return longest < now - nanos;
    }

    /**
     * Returns for how long at most a session was not confirmed, as far as {@link
     * #allConfirmedSince} has seen, and begins anew.
     */
    public Duration takeLongestUnconfirmed() {
        return Duration.ofNanos(longestUnconfirmedNanos.getAndSet(0));
    }

    /** A little too much, for a client takes a margin off the time to live. */
    private long unconfirmedNanos(LockGrant grant) {
        return ttl.minus(grant.remaining()).toNanos();
    }

    private RaftLockClient newClient(String name) {
        RaftLockClient client =
                RaftLockClient.builder()
                        .endpoints(endpoints)
                        .sessionTtl(ttl)
                        .clientName(name)
                        .callbackExecutor(callbacks)
                        .build();
        clients.add(client);
        client.addSessionListener(
                new SessionListener() {
                    @Override
                    public void onSuspect(Duration left) {
                        suspects.incrementAndGet();
                    }

                    @Override
                    public void onLost(LossReason reason) {
                        if (!closing) {
                            losses.add(name + " lost its session: " + reason);
                        }
                    }
                });
        return client;
    }

    /** Closes the clients, which takes a while, and with that their sessions. */
    @Override
    public void close() {
        closing = true;
        ExecutorService closers = Executors.newFixedThreadPool(CLOSING_THREADS);
        clients.forEach(client -> closers.execute(client::close));
        closers.shutdown();
        try {
            if (!closers.awaitTermination(1, TimeUnit.MINUTES)) {
                throw new IllegalStateException("the clients do not close");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            callbacks.shutdown();
        }
    }
}
