package io.raftlock.bench.compare;

import io.raftlock.bench.load.Cell;
import io.raftlock.bench.load.Cell.Mode;
import io.raftlock.bench.peer.PeerSystem;

import java.time.Duration;
import java.util.List;

/**
 * The load before a system's first cell. It has to be heavy as well as long: under few callers the
 * compilers of servers and client are still busy when the first cells are measured.
 */
final class Heat {
    private Heat() {}

    /** Returns its parts, which last equally long. */
    static List<Cell> of(PeerSystem system) {
        return List.of(
                Cell.closed(Mode.BLOCKING, 64),
                Cell.closed(system.isAsync() ? Mode.ASYNC : Mode.BLOCKING, 256));
    }

    /** Returns how long each part lasts. */
    static Duration length(int heatSeconds) {
        return Duration.ofSeconds(heatSeconds).dividedBy(2);
    }
}
