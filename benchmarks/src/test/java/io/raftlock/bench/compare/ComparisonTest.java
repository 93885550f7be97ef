package io.raftlock.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.bench.load.Cell;
import io.raftlock.bench.peer.PeerSystem;

import org.junit.jupiter.api.Test;

import java.util.List;

class ComparisonTest {
    private static final List<Cell> CELLS =
            List.of(Cell.parse("renew:16"), Cell.parse("async:16"), Cell.parse("hot:16"));

    @Test
    void aSystemHasTheCellsThatItsClientHasCallsFor() {
        assertThat(possible(PeerSystem.RAFT_LOCK))
                .containsExactly("renew:16", "async:16", "hot:16");
        assertThat(possible(PeerSystem.ZOOKEEPER)).containsExactly("renew:16", "hot:16");
        assertThat(possible(PeerSystem.HAZELCAST)).containsExactly("hot:16");
        assertThat(possible(PeerSystem.REDISSON_FAIR)).containsExactly("hot:16");
    }

    private static List<String> possible(PeerSystem system) {
        return Comparison.possible(system, CELLS).stream().map(Cell::toString).toList();
    }
}
