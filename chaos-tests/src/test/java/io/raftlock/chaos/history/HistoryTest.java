package io.raftlock.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.concurrent.atomic.AtomicLong;

class HistoryTest {
    private final AtomicLong clock = new AtomicLong(10);
    private final History history = new History(clock::getAndIncrement);

    @Test
    void aHoldLastsFromTheAnswerToJustBeforeTheRelease() {
        long call = history.asks("k", "A");
        history.granted(call, 7);
        history.ends(call);
        assertThat(history.holds()).containsExactly(new Hold("k", "A", 7, 11, 12));
        assertThat(history.waits()).containsExactly(new Wait("k", "A", 10, 11));
    }

    @Test
    void whatIsUnderWayIsPartOfTheHistory() {
        history.granted(history.asks("k", "A"), 7);
        history.asks("k", "B");
        assertThat(history.holds()).containsExactly(new Hold("k", "A", 7, 11, Hold.STILL_HELD));
        assertThat(history.waits()).contains(new Wait("k", "B", 12, Wait.NOT_ANSWERED));
    }

    @Test
    void aCallThatCameBackEmptyIsNoHold() {
        history.notGranted(history.asks("k", "A"));
        assertThat(history.holds()).isEmpty();
        assertThat(history.waits()).hasSize(1);
    }

    @Test
    void aCallIsAnsweredOnce() {
        long call = history.asks("k", "A");
        history.notGranted(call);
        assertThatThrownBy(() -> history.granted(call, 7))
                .isInstanceOf(IllegalStateException.class);
    }
}
