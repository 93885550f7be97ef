package io.raftlock.bench.scale;

import io.raftlock.bench.load.LoadFailure;
import io.raftlock.client.LockGrant;
import io.raftlock.client.RaftLockClient;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One lock with a holder and many that wait for it, each an owner of its own. Who holds it, and so
 * whose thread it is, changes; only the holder touches the fields.
 */
final class WaitQueue implements Ballast {
    private static final int DIGITS = 3;
    private static final Duration BOUND = Duration.ofMinutes(5);

    private final Nodes nodes;
    private final String name;
    private final Clients clients;
    private final Recorder handOffs = new Recorder(DIGITS);
    private final AtomicInteger left = new AtomicInteger();
    private int length;
    private volatile CompletableFuture<Held> holder = new CompletableFuture<>();
    private volatile long releasingNanos;
    private volatile boolean closing;

    private record Held(LockGrant grant, RaftLockClient client) {}

    WaitQueue(Nodes nodes, String name) {
        this.nodes = nodes;
        this.name = name;
        clients = new Clients(nodes);
        queue(clients.of(0));
    }

    @Override
    public void growTo(int total) throws InterruptedException {
        Held unused = awaitHolder();
        for (; length < total; length++) {
            queue(clients.of(length));
        }
        nodes.awaitWaiters(total);
    }

    /**
     * Has the lock go from owner to owner so often. Who gives it up comes to the end of the queue.
     *
     * @return the times from the call of release to the next owner's grant, in nanoseconds
     */
    Histogram handOff(int times) throws InterruptedException {
        Held first = awaitHolder();
        Histogram before = handOffs.getIntervalHistogram();
        before.reset();
        left.set(times);
        holder = new CompletableFuture<>();
        passOn(first);
        Held unused = awaitHolder();
        return handOffs.getIntervalHistogram();
    }

    private Held awaitHolder() throws InterruptedException {
        try {
            return holder.get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new LoadFailure("a lock does not go from owner to owner", e);
        } catch (TimeoutException e) {
            throw new LoadFailure("a lock does not go from owner to owner in time", e);
        }
    }

    private void queue(RaftLockClient client) {
        var unused =
                client.lock(name)
                        .acquireAsync()
                        .whenComplete((grant, thrown) -> granted(client, grant, thrown));
    }

    private void granted(
            RaftLockClient client, @Nullable LockGrant grant, @Nullable Throwable thrown) {
        long now = System.nanoTime();
        if (closing) {
            return;
        }
        if (grant == null) {
            failed(thrown);
            return;
        }
        if (releasingNanos != 0) {
            handOffs.recordValue(now - releasingNanos);
        }
        if (left.getAndUpdate(before -> Math.max(0, before - 1)) > 1) {
            passOn(new Held(grant, client));
        } else {
            holder.complete(new Held(grant, client));
        }
    }

    private void passOn(Held held) {
        releasingNanos = System.nanoTime();
        var unused =
                held.grant()
                        .releaseAsync()
                        .whenComplete(
                                (nothing, thrown) -> {
                                    if (thrown != null) {
                                        failed(thrown);
                                    }
                                });
        queue(held.client());
    }

    private void failed(@Nullable Throwable thrown) {
        if (!closing) {
            holder.completeExceptionally(
                    thrown == null ? new IllegalStateException("no grant") : thrown);
        }
    }

    @Override
    public void close() {
        closing = true;
        clients.close();
    }
}
