package io.raftlock.chaos.workload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Does many like things with so many under way that a node is busy and refuses nothing. */
public final class Batches {
    private static final int UNDER_WAY = 4_000;

    private Batches() {}

    /**
     * Does it for all, in their order, and returns the results in the same order.
     *
     * @param bound on one batch
     */
    public static <T, R> List<R> each(
            List<T> all, Duration bound, Function<T, CompletableFuture<R>> action)
            throws InterruptedException, ExecutionException, TimeoutException {
        List<R> results = new ArrayList<>(all.size());
        for (int from = 0; from < all.size(); from += UNDER_WAY) {
            List<CompletableFuture<R>> batch = new ArrayList<>();
            all.subList(from, Math.min(all.size(), from + UNDER_WAY))
                    .forEach(each -> batch.add(action.apply(each)));
            for (CompletableFuture<R> each : batch) {
                results.add(each.get(bound.toMillis(), TimeUnit.MILLISECONDS));
            }
        }
        return results;
    }
}
