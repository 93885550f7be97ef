package io.raftlock.bench.peer;

/** A client of some system: what one program has. For use by any thread. */
public interface Peer extends AutoCloseable {

    /** Returns the lock of that name, for one caller. */
    PeerLock lock(String name);

    /**
     * Returns the lock of that name, for one chain of futures.
     *
     * @throws UnsupportedOperationException if the system's client has only methods that block
     */
    default AsyncPeerLock asyncLock(String name) {
        throw new UnsupportedOperationException(
                getClass().getSimpleName() + " has only methods that block");
    }

    /**
     * Returns the lock of that name, for one caller that renews it.
     *
     * @throws UnsupportedOperationException if the system's client has no call that renews
     */
    default RenewablePeerLock renewableLock(String name) {
        throw new UnsupportedOperationException(
                getClass().getSimpleName() + " renews by itself and has no call for it");
    }

    /** Ends what the locks needed that were made until now; nobody uses those any more. */
    default void forgetLocks() {}

    @Override
    void close();
}
