package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SnapshotTriggerTest {
    private final SnapshotTrigger trigger = new SnapshotTrigger(10);

    @Test
    void aSnapshotIsDueWhenManyCommandsWereApplied() {
        apply(299, 1_000);
        assertThat(trigger.isDue(0)).isFalse();
        apply(1, 1_000);
        assertThat(trigger.isDue(0)).isTrue();
    }

    @Test
    void havingSaidSoItWaitsForAsMuchAgain() {
        apply(300, 1_000);
        assertThat(trigger.isDue(0)).isTrue();
        assertThat(trigger.isDue(0)).isFalse();
        apply(300, 1_000);
        assertThat(trigger.isDue(0)).isTrue();
    }

    @Test
    void aLargeStateIsWrittenLessOften() {
        apply(1_999, 1_000);
        assertThat(trigger.isDue(1_000_000)).isFalse();
        apply(1, 1_000);
        assertThat(trigger.isDue(1_000_000)).isTrue();
    }

    @Test
    void fewLargeEntriesAreLeftToTheEnginesMargin() {
        apply(9, 100_000);
        assertThat(trigger.isDue(0)).isFalse();
        apply(1, 1);
        assertThat(trigger.isDue(0)).isTrue();
    }

    @Test
    void aSnapshotTakenForAnotherReasonCounts() {
        apply(299, 1_000);
        trigger.reset();
        apply(299, 1_000);
        assertThat(trigger.isDue(0)).isFalse();
    }

    private void apply(int entries, int commandsEach) {
        for (int entry = 0; entry < entries; entry++) {
            trigger.applied(commandsEach);
        }
    }
}
