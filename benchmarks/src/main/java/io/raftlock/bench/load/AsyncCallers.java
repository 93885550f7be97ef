package io.raftlock.bench.load;

import io.raftlock.bench.peer.AsyncPeerLock;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A chain of futures for each lock: all of them are under way at once, on no thread of their own.
 */
final class AsyncCallers implements Callers {
    private final List<AsyncPeerLock> locks;
    private final Meter meter;
    private final CountDownLatch running;

    AsyncCallers(List<AsyncPeerLock> locks, Meter meter) {
        this.locks = List.copyOf(locks);
        this.meter = meter;
        this.running = new CountDownLatch(locks.size());
    }

    @Override
    public void start() {
        locks.forEach(lock -> new Caller(lock).acquire());
    }

    @Override
    public boolean awaitEnd(Duration bound) throws InterruptedException {
        return running.await(bound.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** One chain. Its steps follow each other, so its fields need no lock. */
    private final class Caller {
        private final AsyncPeerLock lock;
        private long askedNanos;
        private long grantedNanos;

        Caller(AsyncPeerLock lock) {
            this.lock = lock;
        }

        void acquire() {
            if (meter.stopping()) {
                running.countDown();
                return;
            }
            askedNanos = System.nanoTime();
            var unused = lock.acquire().whenComplete((nothing, failure) -> acquired(failure));
        }

        private void acquired(@Nullable Throwable failure) {
            if (failure != null) {
                failed(failure);
                return;
            }
            grantedNanos = System.nanoTime();
            var unused = lock.release().whenComplete((nothing, cause) -> released(cause));
        }

        private void released(@Nullable Throwable failure) {
            if (failure != null) {
                failed(failure);
                return;
            }
            meter.cycle(askedNanos, grantedNanos, System.nanoTime());
            acquire();
        }

        private void failed(Throwable failure) {
            meter.failed(failure);
            running.countDown();
        }
    }
}
