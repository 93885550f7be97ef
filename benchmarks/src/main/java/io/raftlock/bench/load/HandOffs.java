package io.raftlock.bench.load;

import io.raftlock.bench.peer.PeerLock;

/**
 * The time from a release of one lock to its next owner, both in this process: from the call of
 * release to the return of the next owner's acquire.
 */
final class HandOffs {
    private final Meter meter;

    /** Written by the owner before it releases, and read by the next owner. */
    private volatile long releasingNanos;

    HandOffs(Meter meter) {
        this.meter = meter;
        this.releasingNanos = System.nanoTime();
    }

    /** Returns the lock, with its hand-offs reported. */
    PeerLock timed(PeerLock lock) {
        return new PeerLock() {
            @Override
            public void acquire() throws Exception {
                lock.acquire();
                meter.handedOff(System.nanoTime() - releasingNanos);
            }

            @Override
            public void release() throws Exception {
                releasingNanos = System.nanoTime();
                lock.release();
            }
        };
    }
}
