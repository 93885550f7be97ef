package io.raftlock.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.bench.load.Cell;
import io.raftlock.bench.peer.PeerSystem;

import org.junit.jupiter.api.Test;

import java.util.List;

class MarkdownTest {
    private static final Cell CELL = Cell.parse("blocking:16");
    private static final Row.Times TIMES = new Row.Times(1_000, 2_000, 3_000);

    @Test
    void aTableHasMediansAndHowManyTimesOursIs() {
        Medians medians =
                new Medians(
                        List.of(
                                row(PeerSystem.RAFT_LOCK, 100),
                                row(PeerSystem.RAFT_LOCK, 900),
                                row(PeerSystem.RAFT_LOCK, 300),
                                row(PeerSystem.ETCD, 90),
                                row(PeerSystem.ETCD, 110)));
        String text =
                new Markdown(
                                medians,
                                List.of(
                                        PeerSystem.RAFT_LOCK,
                                        PeerSystem.ETCD,
                                        PeerSystem.REDISSON_FAIR),
                                List.of(CELL))
                        .text();
        assertThat(text)
                .contains("| raft-lock | 300 |")
                .contains("| jetcd on etcd | 100 (3.0 x) |")
                .contains("| raft-lock | 1.00 / 2.00 |")
                .doesNotContain("fair");
    }

    private static Row row(PeerSystem system, double rate) {
        return new Row(system, 1, CELL.toString(), rate, TIMES, TIMES, TIMES);
    }
}
