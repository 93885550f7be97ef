package io.raftlock.server.raft;

import static io.raftlock.server.raft.EntryPacing.FEW;
import static io.raftlock.server.raft.EntryPacing.FULL;
import static io.raftlock.server.raft.EntryPacing.PATIENCE_NANOS;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EntryPacingTest {
    private static final long NOW = Long.MAX_VALUE - 1;

    private final EntryPacing pacing = new EntryPacing(3);

    /** Of commands one of which does more than queue. */
    private boolean isDue(int waiting, int inFlight, long nowNanos) {
        return pacing.isDue(waiting, inFlight, nowNanos, () -> true);
    }

    private boolean isDueIfAllQueue(int waiting, int inFlight, long nowNanos) {
        return pacing.isDue(waiting, inFlight, nowNanos, () -> false);
    }

    @Test
    void theFirstCommandGoesAtOnce() {
        assertThat(isDue(1, 0, NOW)).isTrue();
    }

    @Test
    void whileAnEntryIsUnderWayOnlyManyAreWorthAnother() {
        assertThat(isDue(FULL - 1, 1, NOW)).isFalse();
        assertThat(isDue(FULL, 1, NOW)).isTrue();
        assertThat(isDue(FULL, 2, NOW)).isTrue();
        assertThat(isDue(10 * FULL, 3, NOW)).isFalse();
    }

    @Test
    void callersWhoComeBackGoTogether() {
        pacing.settled(10, 2, NOW);
        assertThat(isDue(11, 0, NOW + PATIENCE_NANOS - 1)).isFalse();
        assertThat(isDue(12, 0, NOW)).isTrue();
    }

    @Test
    void patienceEnds() {
        pacing.settled(FEW, 0, NOW);
        assertThat(pacing.endOfPatienceNanos()).isEqualTo(NOW + PATIENCE_NANOS);
        assertThat(isDue(1, 0, NOW + PATIENCE_NANOS)).isTrue();
    }

    @Test
    void fewAreNotWaitedFor() {
        pacing.settled(FEW - 1, 0, NOW);
        assertThat(isDue(1, 0, NOW)).isTrue();
    }

    @Test
    void noMoreAreWaitedForThanFillAnEntry() {
        pacing.settled(1_000, 1_000, NOW);
        assertThat(isDue(FULL, 0, NOW)).isTrue();
    }

    @Test
    void thoseWhoOnlyQueueWaitForOneWhoDoesMore() {
        pacing.settled(2, 0, NOW);
        assertThat(isDueIfAllQueue(1, 0, NOW)).isFalse();
        assertThat(isDueIfAllQueue(FEW - 1, 0, NOW + PATIENCE_NANOS - 1)).isFalse();
        assertThat(isDueIfAllQueue(1, 0, NOW + PATIENCE_NANOS)).isTrue();
        assertThat(isDue(1, 0, NOW)).isTrue();
    }

    @Test
    void whoOnlyQueuesGoesAtOnceWhenManyDo() {
        pacing.settled(2, 0, NOW);
        assertThat(isDueIfAllQueue(FEW, 0, NOW)).isTrue();
    }

    @Test
    void whoOnlyQueuesGoesAtOnceWhenNothingWasSettledJustNow() {
        assertThat(isDueIfAllQueue(1, 0, NOW)).isTrue();
    }
}
