package io.raftlock.bench.scale;

import io.raftlock.bench.load.Cell;
import io.raftlock.bench.load.LoadRun;
import io.raftlock.bench.load.Meter;
import io.raftlock.bench.peer.Peer;
import io.raftlock.bench.peer.RaftLockPeer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What it costs to acquire and release, by clients of their own. */
final class Cycles implements AutoCloseable {
    private static final int CLIENTS = 4;
    private static final Duration HEAT = Duration.ofSeconds(10);
    private static final Duration WARM_UP = Duration.ofSeconds(3);
    private static final Duration MEASURED = Duration.ofSeconds(10);
    private static final Cell ONE = Cell.closed(Cell.Mode.BLOCKING, 1);
    private static final Cell MANY = Cell.closed(Cell.Mode.ASYNC, 64);

    private final List<Peer> clients = new ArrayList<>();

    /**
     * What was measured.
     *
     * @param medianMillis from asking for a lock to knowing that it is free again, of one caller
     * @param perSecond cycles of 64 that are under way
     */
    record Cost(double medianMillis, double perSecond) {}

    Cycles(Nodes nodes) {
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(RaftLockPeer.connect(nodes.endpoints(), "cycles-" + i));
        }
    }

    /** Has the nodes work until they are as fast as they get. */
    void heat() throws InterruptedException {
        for (Cell cell : List.of(MANY, ONE)) {
            Meter.Measurement unused = run(cell, HEAT);
        }
    }

    Cost measure() throws InterruptedException {
        Meter.Measurement one = run(ONE, WARM_UP);
        Meter.Measurement many = run(MANY, WARM_UP);
        return new Cost(one.cycle().getValueAtPercentile(50) / 1e6, many.cyclesPerSecond());
    }

    private Meter.Measurement run(Cell cell, Duration warmUp) throws InterruptedException {
        return new LoadRun(cell, System.out).run(clients, warmUp, MEASURED);
    }

    @Override
    public void close() {
        clients.forEach(Peer::close);
    }
}
