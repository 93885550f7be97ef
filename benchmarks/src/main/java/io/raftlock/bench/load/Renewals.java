package io.raftlock.bench.load;

import io.raftlock.bench.peer.PeerLock;
import io.raftlock.bench.peer.RenewablePeerLock;

/** The renewals of callers that hold their lock for a while. */
final class Renewals {
    /** Of each hold, so that they are 90 % of all operations. */
    static final int PER_HOLD = 9;

    private final Meter meter;

    Renewals(Meter meter) {
        this.meter = meter;
    }

    /** Returns the lock, with each hold renewed before its release, and the renewals reported. */
    PeerLock renewed(RenewablePeerLock lock) {
        return new PeerLock() {
            @Override
            public void acquire() throws Exception {
                lock.acquire();
            }

            @Override
            public void release() throws Exception {
                for (int i = 0; i < PER_HOLD; i++) {
                    long asked = System.nanoTime();
                    lock.renew();
                    meter.renewed(System.nanoTime() - asked);
                }
                lock.release();
            }
        };
    }
}
