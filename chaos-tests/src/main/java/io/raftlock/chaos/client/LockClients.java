package io.raftlock.chaos.client;

import io.raftlock.client.RaftLockClient;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Makes real clients, watches over their sessions, and closes them. For use by any thread. */
final class LockClients {
    private static final int CALLBACK_THREADS = 2;
    private static final int CLOSING_THREADS = 8;
    private static final long LOOK_MILLIS = 20;
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(3);

    private final Set<WatchedClient> open = ConcurrentHashMap.newKeySet();
    private final ExecutorService callbacks = Executors.newFixedThreadPool(CALLBACK_THREADS);
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final ClientSettings settings;
    private final CallLog calls;

    LockClients(ClientSettings settings, CallLog calls) {
        this.settings = settings;
        this.calls = calls;
        var unused =
                timer.scheduleWithFixedDelay(
                        () -> open.forEach(WatchedClient::look),
                        LOOK_MILLIS,
                        LOOK_MILLIS,
                        TimeUnit.MILLISECONDS);
    }

    /** Returns a client with a session of its own. */
    WatchedClient open() {
        RaftLockClient client =
                RaftLockClient.builder()
                        .endpoints(settings.endpoints().toArray(String[]::new))
                        .sessionTtl(Duration.ofMillis(settings.workload().ttlMillis()))
                        .requestTimeout(REQUEST_TIMEOUT)
                        .clientName(settings.client())
                        .callbackExecutor(callbacks)
                        .build();
        WatchedClient watched = new WatchedClient(client, calls);
        open.add(watched);
        return watched;
    }

    /** Closes one of them. */
    void close(WatchedClient client) {
        open.remove(client);
        client.close();
    }

    /** Does it later, on a thread of its own; it must not block. */
    void later(Runnable task, long millis) {
        var unused = timer.schedule(task, millis, TimeUnit.MILLISECONDS);
    }

    /**
     * Closes all, several at once.
     *
     * @return whether that was done within the bound
     */
    boolean closeAll(Duration bound) throws InterruptedException {
        ExecutorService closers = Executors.newFixedThreadPool(CLOSING_THREADS);
        List.copyOf(open).forEach(client -> closers.execute(() -> close(client)));
        closers.shutdown();
        return closers.awaitTermination(bound.toMillis(), TimeUnit.MILLISECONDS);
    }
}
