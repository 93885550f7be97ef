package io.raftlock.chaos.workload;

import io.raftlock.client.DistributedLock;
import io.raftlock.client.LockGrant;
import io.raftlock.client.RaftLockClient;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** One client of a workload. Owned by the thread that runs it. */
final class LockingClient implements Runnable {
    private static final int WAYS = 8;
    private static final int LONGEST_HOLD_MICROS = 5_000;
    private static final int LONGEST_REST_MICROS = 10_000;
    private static final Duration SHORT_WAIT = Duration.ofMillis(20);

    private final LockWorkload workload;
    private final RaftLockClient client;
    private final String name;
    private final List<String> lockNames;
    private final Random random;

    LockingClient(
            LockWorkload workload,
            RaftLockClient client,
            String name,
            List<String> lockNames,
            Random random) {
        this.workload = workload;
        this.client = client;
        this.name = name;
        this.lockNames = List.copyOf(lockNames);
        this.random = random;
    }

    @Override
    public void run() {
        while (!workload.stopping()) {
            try {
                cycle();
            } catch (RuntimeException e) {
                workload.complain(name, e.toString());
            }
            LockSupport.parkNanos(random.nextInt(LONGEST_REST_MICROS) * 1_000L);
        }
    }

    private void cycle() {
        DistributedLock lock = client.lock(lockNames.get(random.nextInt(lockNames.size())));
        int way = random.nextInt(WAYS);
        if (way == 0) {
            tryForAWhile(lock);
        } else if (way % 2 == 0) {
            lockAndUnlock(lock);
        } else {
            acquireAndRelease(lock);
        }
    }

    private void lockAndUnlock(DistributedLock lock) {
        long call = workload.history().asks(lock.name(), name);
        try {
            lock.lock();
        } catch (RuntimeException e) {
            workload.history().notGranted(call);
            throw e;
        }
        workload.history().granted(call, lock.fencingToken().value());
        work();
        workload.history().ends(call);
        lock.unlock();
        workload.cycleDone();
    }

    private void acquireAndRelease(DistributedLock lock) {
        long call = workload.history().asks(lock.name(), name);
        LockGrant grant;
        try {
            grant = lock.acquire();
        } catch (RuntimeException e) {
            workload.history().notGranted(call);
            throw e;
        }
        use(call, grant);
    }

    /** Often gives up while it waits, so its place in the queue has to be taken back. */
    private void tryForAWhile(DistributedLock lock) {
        long call = workload.history().asks(lock.name(), name);
        Optional<LockGrant> grant = Optional.empty();
        try {
            grant = lock.tryAcquire(SHORT_WAIT);
        } finally {
            if (grant.isEmpty()) {
                workload.history().notGranted(call);
            }
        }
        grant.ifPresent(got -> use(call, got));
    }

    private void use(long call, LockGrant grant) {
        workload.history().granted(call, grant.token().value());
        work();
        workload.history().ends(call);
        grant.release();
        workload.cycleDone();
    }

    private void work() {
        LockSupport.parkNanos(random.nextInt(LONGEST_HOLD_MICROS) * 1_000L);
    }
}
