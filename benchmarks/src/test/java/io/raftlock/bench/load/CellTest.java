package io.raftlock.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.bench.load.Cell.Mode;

import org.junit.jupiter.api.Test;

class CellTest {
    @Test
    void whatIsWrittenIsRead() {
        for (Cell cell :
                new Cell[] {
                    Cell.closed(Mode.BLOCKING, 16),
                    Cell.closed(Mode.PROCS, 8),
                    Cell.closed(Mode.RENEW, 16),
                    new Cell(Mode.OPEN, 64, 500)
                }) {
            assertThat(Cell.parse(cell.toString())).isEqualTo(cell);
        }
    }

    @Test
    void callersOfOneHotLockShareItsNameAndOthersShareNone() {
        assertThat(Cell.closed(Mode.HOT, 3).lockNames()).hasSize(3).containsOnly("load/hot");
        assertThat(Cell.closed(Mode.BLOCKING, 3).lockNames()).hasSize(3).doesNotHaveDuplicates();
    }

    @Test
    void aRateIsForOpenLoopsAlone() {
        assertThatThrownBy(() -> Cell.parse("open:64")).hasMessageContaining("64 callers at 0/s");
        assertThatThrownBy(() -> Cell.parse("hot:64@5")).hasMessageContaining("HOT");
        assertThatThrownBy(() -> Cell.parse("hot")).hasMessageContaining("expected blocking:N");
    }
}
