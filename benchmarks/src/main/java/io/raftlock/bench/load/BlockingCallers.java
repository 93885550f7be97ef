package io.raftlock.bench.load;

import io.raftlock.client.DistributedLock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A thread for each lock, which uses it as a {@link java.util.concurrent.locks.Lock}. */
final class BlockingCallers implements Callers {
    private final List<DistributedLock> locks;
    private final Meter meter;
    private final CountDownLatch running;

    BlockingCallers(List<DistributedLock> locks, Meter meter) {
        this.locks = List.copyOf(locks);
        this.meter = meter;
        this.running = new CountDownLatch(locks.size());
    }

    @Override
    public void start() {
        for (DistributedLock lock : locks) {
            Thread thread = new Thread(() -> run(lock), "caller-" + lock.name());
            thread.setDaemon(true);
            thread.start();
        }
    }

    @Override
    public boolean awaitEnd(Duration bound) throws InterruptedException {
        return running.await(bound.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void run(DistributedLock lock) {
        try {
            while (!meter.stopping()) {
                cycle(lock);
            }
        } catch (RuntimeException e) {
            meter.failed(e);
        } finally {
            running.countDown();
        }
    }

    private void cycle(DistributedLock lock) {
        long asked = System.nanoTime();
        long granted;
        lock.lock();
        try {
            granted = System.nanoTime();
        } finally {
            lock.unlock();
        }
        meter.cycle(asked, granted, System.nanoTime());
    }
}
