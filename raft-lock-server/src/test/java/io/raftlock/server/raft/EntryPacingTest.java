package io.raftlock.server.raft;

import static io.raftlock.server.raft.EntryPacing.FEW;
import static io.raftlock.server.raft.EntryPacing.FULL;
import static io.raftlock.server.raft.EntryPacing.PATIENCE_NANOS;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EntryPacingTest {
    private static final long NOW = Long.MAX_VALUE - 1;

    private final EntryPacing pacing = new EntryPacing(3);

    @Test
    void theFirstCommandGoesAtOnce() {
        assertThat(pacing.isDue(1, 0, NOW)).isTrue();
    }

    @Test
    void whileAnEntryIsUnderWayOnlyManyAreWorthAnother() {
        assertThat(pacing.isDue(FULL - 1, 1, NOW)).isFalse();
        assertThat(pacing.isDue(FULL, 1, NOW)).isTrue();
        assertThat(pacing.isDue(FULL, 2, NOW)).isTrue();
        assertThat(pacing.isDue(10 * FULL, 3, NOW)).isFalse();
    }

    @Test
    void callersWhoComeBackGoTogether() {
        pacing.settled(10, 2, NOW);
        assertThat(pacing.isDue(11, 0, NOW + PATIENCE_NANOS - 1)).isFalse();
        assertThat(pacing.isPatient(NOW + PATIENCE_NANOS - 1)).isTrue();
        assertThat(pacing.isDue(12, 0, NOW)).isTrue();
    }

    @Test
    void patienceEnds() {
        pacing.settled(FEW, 0, NOW);
        assertThat(pacing.endOfPatienceNanos()).isEqualTo(NOW + PATIENCE_NANOS);
        assertThat(pacing.isDue(1, 0, NOW + PATIENCE_NANOS)).isTrue();
        assertThat(pacing.isPatient(NOW + PATIENCE_NANOS)).isFalse();
    }

    @Test
    void fewAreNotWaitedFor() {
        pacing.settled(FEW - 1, 0, NOW);
        assertThat(pacing.isDue(1, 0, NOW)).isTrue();
    }

    @Test
    void noMoreAreWaitedForThanFillAnEntry() {
        pacing.settled(1_000, 1_000, NOW);
        assertThat(pacing.isDue(FULL, 0, NOW)).isTrue();
    }
}
