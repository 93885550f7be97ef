package io.raftlock.bench.peer;

/** A lock whose hold its caller can renew. */
public interface RenewablePeerLock extends PeerLock {

    /** Asks for one renewal and waits for the answer. */
    interface Renewal {
        void renew() throws Exception;
    }

    /** Returns the lock, renewed in this way. */
    static RenewablePeerLock of(PeerLock lock, Renewal renewal) {
        return new RenewablePeerLock() {
            @Override
            public void acquire() throws Exception {
                lock.acquire();
            }

            @Override
            public void release() throws Exception {
                lock.release();
            }

            @Override
            public void renew() throws Exception {
                renewal.renew();
            }
        };
    }

    /**
     * Keeps the hold, or the session that it hangs on, alive, and returns when the system has said
     * that it lives. To be called by the holder.
     *
     * @throws Exception of the system's client, if the system did not say so
     */
    void renew() throws Exception;
}
