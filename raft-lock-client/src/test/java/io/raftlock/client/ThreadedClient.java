package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;

/**
 * What tests with real threads and real time start from: a client on a loop of its own, its lock
 * "k", and a cluster on the same loop.
 */
@Timeout(30)
abstract class ThreadedClient {
    final NettyLoop loop = new NettyLoop("test-loop");
    FakeCluster cluster;
    RaftLockClient client;
    DistributedLock lock;

    @BeforeEach
    void buildClient() throws Exception {
        cluster = onLoop(() -> new FakeCluster(loop, 0));
        client =
                builder()
                        .endpoints(cluster.endpoints())
                        .build(
                                new RaftLockClient.Parts(loop, cluster, () -> {}, "test"),
                                new Random(1));
        lock = client.lock("k");
    }

    RaftLockClient.Builder builder() {
        return RaftLockClient.builder();
    }

    @AfterEach
    void keptTheProtocol() throws Exception {
        client.close();
        // Its thread has ended with the client, and what it did happened before.
        assertThat(cluster.violations).isEmpty();
    }

    <T> T onLoop(Callable<T> task) throws Exception {
        FutureTask<T> future = new FutureTask<>(task);
        loop.execute(future);
        return future.get();
    }

    void onLoop(Runnable task) throws Exception {
        onLoop(
                () -> {
                    task.run();
                    return null;
                });
    }

    void awaitOnLoop(Callable<Boolean> condition) throws Exception {
        while (!onLoop(condition)) {
            LockSupport.parkNanos(200_000);
        }
    }

    static <T> FutureTask<T> inThread(Callable<T> task) {
        FutureTask<T> future = new FutureTask<>(task);
        Thread thread = new Thread(future);
        thread.setDaemon(true);
        thread.start();
        return future;
    }

    static Throwable failureOf(FutureTask<?> future) throws InterruptedException {
        try {
            future.get();
            throw new AssertionError("no failure");
        } catch (ExecutionException failed) {
            return failed.getCause();
        }
    }
}
