package io.raftlock.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CollectorLogTest {
    @Test
    void theLongestPauseIsFound() {
        String log =
                """
                [0.011s][info][gc] Using Serial
                [1.203s][info][gc] GC(0) Pause Young (Allocation Failure) 34M->8M(123M) 12.345ms
                2026-01-01T00:00:00.000Z INFO  ApplyAdapter: Snapshot taken at entry 999.999ms
                [9.200s][info][gc] GC(1) Pause Full (Diagnostic Command) 9M->7M(123M) 30.500ms
                """;
        assertThat(CollectorLog.longestPauseMillis(log)).isEqualTo(30.5);
        assertThat(CollectorLog.longestPauseMillis("")).isZero();
    }
}
