package io.raftlock.bench.load;

import io.raftlock.bench.peer.AsyncPeerLock;
import io.raftlock.bench.peer.Peer;
import io.raftlock.bench.peer.PeerLock;
import io.raftlock.bench.peer.RenewablePeerLock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** Those who acquire and release until the meter says stop. */
interface Callers {

    void start();

    /**
     * Waits until each has ended the cycle it was in.
     *
     * @return whether all have in that time
     */
    boolean awaitEnd(Duration bound) throws InterruptedException;

    /** Makes them, spread over the clients. */
    static Callers of(Cell cell, List<Peer> clients, Meter meter) {
        return switch (cell.mode()) {
            case BLOCKING -> new BlockingCallers(blocking(cell, clients), meter, new Pace.AtOnce());
            case OPEN ->
                    new BlockingCallers(
                            blocking(cell, clients),
                            meter,
                            new Pace.ByClock(cell.perSecond(), System.nanoTime()));
            case HOT -> {
                HandOffs handOffs = new HandOffs(meter);
                List<PeerLock> locks =
                        blocking(cell, clients).stream().map(handOffs::timed).toList();
                yield new BlockingCallers(locks, meter, new Pace.AtOnce());
            }
            case RENEW -> {
                Renewals renewals = new Renewals(meter);
                List<PeerLock> locks =
                        Callers.<RenewablePeerLock>spread(cell, clients, Peer::renewableLock)
                                .stream()
                                .map(renewals::renewed)
                                .toList();
                yield new BlockingCallers(locks, meter, new Pace.AtOnce());
            }
            case PROCS ->
                    throw new IllegalArgumentException(
                            "its callers are not in this process: " + cell);
            case ASYNC ->
                    new AsyncCallers(
                            Callers.<AsyncPeerLock>spread(cell, clients, Peer::asyncLock), meter);
        };
    }

    private static List<PeerLock> blocking(Cell cell, List<Peer> clients) {
        return spread(cell, clients, Peer::lock);
    }

    private static <T> List<T> spread(
            Cell cell, List<Peer> clients, BiFunction<Peer, String, T> lock) {
        List<T> locks = new ArrayList<>();
        for (String name : cell.lockNames()) {
            locks.add(lock.apply(clients.get(locks.size() % clients.size()), name));
        }
        return locks;
    }
}
