package io.raftlock.chaos.client;

import io.raftlock.chaos.store.StoreAnswer;
import io.raftlock.chaos.store.StoreRequest;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** The store, which lives in the driver. For use by any thread. */
final class StoreClient {
    private static final long BOUND_SECONDS = 10;

    private final Map<Long, CompletableFuture<StoreAnswer>> asked = new ConcurrentHashMap<>();
    private final AtomicLong lastId = new AtomicLong();
    private final Consumer<StoreRequest> requests;

    StoreClient(Consumer<StoreRequest> requests) {
        this.requests = requests;
    }

    /**
     * Reads the lock's set.
     *
     * @return its version, or 0 if the token was refused
     * @throws TimeoutException if the driver does not answer
     */
    long read(String lock, long token) throws InterruptedException, TimeoutException {
        return ask(StoreRequest.read(lastId.incrementAndGet(), lock, token));
    }

    /**
     * Adds an element to the version that was read.
     *
     * @return the version that was made, or 0 if the token was refused
     * @throws TimeoutException if the driver does not answer
     */
    long write(String lock, long token, long element, long basedOn)
            throws InterruptedException, TimeoutException {
        long id = lastId.incrementAndGet();
        return ask(StoreRequest.write(id, lock, token, element, basedOn));
    }

    /** The driver has answered. */
    void answered(StoreAnswer answer) {
        CompletableFuture<StoreAnswer> waiting = asked.remove(answer.id());
        if (waiting != null) {
            waiting.complete(answer);
        }
    }

    private long ask(StoreRequest request) throws InterruptedException, TimeoutException {
        CompletableFuture<StoreAnswer> answer = new CompletableFuture<>();
        asked.put(request.id(), answer);
        requests.accept(request);
        try {
            return answer.get(BOUND_SECONDS, TimeUnit.SECONDS).version();
        } catch (ExecutionException never) {
            throw new IllegalStateException("an answer of the store is never an error", never);
        } finally {
            asked.remove(request.id());
        }
    }
}
