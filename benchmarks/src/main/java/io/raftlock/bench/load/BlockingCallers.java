package io.raftlock.bench.load;

import io.raftlock.bench.peer.PeerLock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A thread for each lock. */
final class BlockingCallers implements Callers {
    private final List<PeerLock> locks;
    private final Meter meter;
    private final Pace pace;
    private final CountDownLatch running;

    BlockingCallers(List<PeerLock> locks, Meter meter, Pace pace) {
        this.locks = List.copyOf(locks);
        this.meter = meter;
        this.pace = pace;
        this.running = new CountDownLatch(locks.size());
    }

    @Override
    public void start() {
        int number = 0;
        for (PeerLock lock : locks) {
            Thread thread = new Thread(() -> run(lock), "caller-" + number);
            thread.setDaemon(true);
            thread.start();
            number++;
        }
    }

    @Override
    public boolean awaitEnd(Duration bound) throws InterruptedException {
        return running.await(bound.toMillis(), TimeUnit.MILLISECONDS);
    }

    @SuppressWarnings("IllegalCatch") // Whatever a client throws ends the run, with its words.
    private void run(PeerLock lock) {
        try {
            while (!meter.stopping()) {
                cycle(lock);
            }
        } catch (Exception e) {
            meter.failed(e);
        } finally {
            running.countDown();
        }
    }

    private void cycle(PeerLock lock) throws Exception {
        long asked = pace.next();
        lock.acquire();
        long granted = System.nanoTime();
        lock.release();
        meter.cycle(asked, granted, System.nanoTime());
    }
}
