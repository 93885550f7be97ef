package io.raftlock.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

class GapsTest {
    private static final Gaps GAPS = new Gaps(List.of(0L, 10L, 30L, 60L, 65L));

    @Test
    void gapsDuringASnapshotAreToldFromOthers() {
        List<Span> snapshots = List.of(new Span(12, 20), new Span(61, 64));
        assertThat(GAPS.longestNanos(snapshots)).isEqualTo(20);
        assertThat(GAPS.longestNanosOutside(snapshots)).isEqualTo(30);
    }

    @Test
    void aGapThatASnapshotBeginsOrEndsInCounts() {
        assertThat(GAPS.longestNanos(List.of(new Span(59, 70)))).isEqualTo(30);
        assertThat(GAPS.longestNanos(List.of(new Span(-5, 1)))).isEqualTo(10);
    }

    @Test
    void withoutSnapshotsAllGapsAreOutside() {
        assertThat(GAPS.longestNanos(List.of())).isZero();
        assertThat(GAPS.longestNanosOutside(List.of())).isEqualTo(30);
        assertThat(GAPS.medianNanos()).isEqualTo(15);
    }
}
