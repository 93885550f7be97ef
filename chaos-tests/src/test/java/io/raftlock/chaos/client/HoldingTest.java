package io.raftlock.chaos.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.Event.Action;
import io.raftlock.chaos.history.Event.Result;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

class HoldingTest {
    private static final long LIFE = 3;
    private static final long GRANTED = 100;

    private final List<Event> events = new ArrayList<>();
    private long now = GRANTED;
    private final CallLog calls = new CallLog("c1.1", LIFE, () -> ++now, events::add);
    private final Actor actor =
            new Actor(
                    2,
                    new Random(1),
                    calls,
                    new Gate(),
                    WorkloadSpec.of(WorkloadKind.FENCED_MUTEX, 2_000));

    @Test
    void aHoldIsBelievedUntilJustBeforeItsReleaseIsAskedFor() {
        holding(true, Ending.DONE).leave();
        long release = (LIFE << 32) + 1;
        assertThat(events)
                .containsExactly(
                        new Event.Believed(101, 42, true, false),
                        new Event.Invoked(102, release, "c1.1", 2, Action.RELEASE, "a/1", 7),
                        new Event.Returned(103, release, Result.OK, 0, ""));
    }

    @Test
    void aHoldThatIsLostWasBelievedUntilItsGuardLastSaidSo() {
        holding(false, Ending.info("lost")).leave();
        assertThat(events.get(0)).isEqualTo(new Event.Believed(GRANTED, 42, true, true));
        assertThat(events).hasSize(3);
    }

    @Test
    void theEndOfABeliefIsToldOnce() {
        Holding lost = holding(false, Ending.info("lost"));
        lost.keepAndLook(1_000_000);
        lost.giveUp();
        lost.leave();
        assertThat(events).filteredOn(Event.Believed.class::isInstance).hasSize(1);
    }

    @Test
    void callsOfTwoLivesHaveTwoIds() {
        CallLog next = new CallLog("c1.2", LIFE + 1, () -> 0, events::add);
        long first = calls.invoked(0, Action.LOCK, "a/1", 0);
        long second = calls.invoked(1, Action.LOCK, "a/1", 0);
        assertThat(second).isEqualTo(first + 1);
        assertThat(next.invoked(0, Action.LOCK, "a/1", 0)).isEqualTo(first + (1L << 32));
    }

    private Holding holding(boolean isHeld, Ending ending) {
        Held held =
                new Held() {
                    @Override
                    public boolean isHeld() {
                        return isHeld;
                    }

                    @Override
                    public Ending release() {
                        return ending;
                    }
                };
        return new Holding(actor, 42, "a/1", 7, GRANTED, held);
    }
}
