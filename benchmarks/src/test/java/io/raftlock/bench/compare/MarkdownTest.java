package io.raftlock.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.bench.load.Cell;
import io.raftlock.bench.peer.PeerSystem;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class MarkdownTest {
    private static final Cell CELL = Cell.parse("blocking:16");
    private static final Row.Times TIMES = new Row.Times(1_000, 2_000, 3_000);

    @Test
    void aTableHasMediansAndHowManyTimesOursIs() {
        Figures figures =
                new Figures(
                        List.of(
                                row(PeerSystem.RAFT_LOCK, 100),
                                row(PeerSystem.RAFT_LOCK, 900),
                                row(PeerSystem.RAFT_LOCK, 300),
                                row(PeerSystem.ETCD, 90),
                                row(PeerSystem.ETCD, 110)),
                        List.of());
        String text = text(figures, PeerSystem.ETCD, PeerSystem.REDISSON_FAIR);
        assertThat(text)
                .contains("| raft-lock | 300 |")
                .contains("| jetcd on etcd | 100 (3.0 x) |")
                .contains("| raft-lock | 1.00 / 2.00 |")
                .doesNotContain("fair")
                .doesNotContain("issing");
    }

    @Test
    void whatASystemGaveNoFigureForIsMissingAndTheReasonBelow() {
        Figures figures =
                new Figures(
                        List.of(row(PeerSystem.RAFT_LOCK, 100), row(PeerSystem.ZOOKEEPER, 50)),
                        List.of(
                                new Missing(PeerSystem.ETCD, 1, List.of(CELL), "no lease"),
                                new Missing(PeerSystem.ZOOKEEPER, 2, List.of(CELL), "no leader")));
        assertThat(text(figures, PeerSystem.ETCD, PeerSystem.ZOOKEEPER))
                .contains("| jetcd on etcd | missing |")
                .contains("| Curator on ZooKeeper | 50 (2.0 x) |")
                .contains("- jetcd on etcd, repeat 1, no figure for blocking:16: no lease\n")
                .contains("- Curator on ZooKeeper, repeat 2, no figure for blocking:16: no leader");
    }

    @Test
    void renewalsHaveTablesOfTheirOwnWithoutThoseWhoCannotBeAsked() {
        Cell renew = Cell.parse("renew:16");
        Row.Times renewal = new Row.Times(250, 500, 750);
        List<Row> rows =
                List.of(
                        new Row(
                                PeerSystem.RAFT_LOCK,
                                1,
                                "renew:16",
                                900,
                                TIMES,
                                TIMES,
                                TIMES,
                                renewal),
                        new Row(PeerSystem.ETCD, 1, "renew:16", 300, TIMES, TIMES, TIMES, TIMES));
        String text =
                new Markdown(
                                new Figures(rows, List.of()),
                                List.of(
                                        PeerSystem.RAFT_LOCK,
                                        PeerSystem.HAZELCAST,
                                        PeerSystem.ETCD),
                                List.of(renew))
                        .text();
        assertThat(text)
                .contains("### Operations a second")
                .contains("| jetcd on etcd | 300 (3.0 x) |")
                .contains("### Renewal in ms")
                .contains("| raft-lock | 0.25 / 0.50 |")
                .doesNotContain("Hazelcast");
    }

    @Test
    void aSmallFactorIsNotRoundedToNothing() {
        Figures figures =
                new Figures(
                        List.of(row(PeerSystem.RAFT_LOCK, 2), row(PeerSystem.ETCD, 100)),
                        List.of());
        assertThat(text(figures, PeerSystem.ETCD)).contains("| 100 (0.02 x) |");
    }

    private static String text(Figures figures, PeerSystem... others) {
        List<PeerSystem> systems = new ArrayList<>(List.of(PeerSystem.RAFT_LOCK));
        systems.addAll(List.of(others));
        return new Markdown(figures, systems, List.of(CELL)).text();
    }

    private static Row row(PeerSystem system, double rate) {
        return new Row(system, 1, CELL.toString(), rate, TIMES, TIMES, TIMES, TIMES);
    }
}
