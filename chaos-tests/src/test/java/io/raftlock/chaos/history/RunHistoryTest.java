package io.raftlock.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.history.Event.Action;
import io.raftlock.chaos.history.Event.Believed;
import io.raftlock.chaos.history.Event.FaultBegan;
import io.raftlock.chaos.history.Event.FaultEnded;
import io.raftlock.chaos.history.Event.Invoked;
import io.raftlock.chaos.history.Event.Phase;
import io.raftlock.chaos.history.Event.PhaseBegan;
import io.raftlock.chaos.history.Event.Result;
import io.raftlock.chaos.history.Event.Returned;

import org.junit.jupiter.api.Test;

import java.util.List;

class RunHistoryTest {
    private static Invoked invoked(long at, long call, int actor, Action action) {
        return new Invoked(at, call, "A", actor, action, "k", 0);
    }

    @Test
    void aCallIsPutTogetherFromItsBeginAndItsEnd() {
        RunHistory history =
                RunHistory.of(
                        List.of(
                                new Returned(30, 2, Result.OK, 9, ""),
                                invoked(20, 2, 1, Action.LOCK),
                                invoked(10, 1, 2, Action.LOCK),
                                invoked(11, 3, 3, Action.LOCK),
                                new Returned(40, 3, Result.INFO, 0, "unsettled")));
        assertThat(history.problems()).isEmpty();
        assertThat(history.operations()).extracting(Operation::call).containsExactly(1L, 3L, 2L);
        assertThat(history.operations())
                .extracting(Operation::returnedNanos)
                .containsExactly(Operation.NEVER, Operation.NEVER, 30L);
        assertThat(history.operations())
                .extracting(Operation::isAnswered)
                .containsExactly(false, true, true);
        assertThat(history.endNanos()).isEqualTo(40);
    }

    @Test
    void whatDoesNotFitTogetherIsAProblem() {
        RunHistory history =
                RunHistory.of(
                        List.of(
                                invoked(10, 1, 1, Action.LOCK),
                                invoked(11, 1, 1, Action.LOCK),
                                new Returned(5, 1, Result.OK, 9, ""),
                                new Returned(20, 1, Result.OK, 9, ""),
                                new Returned(20, 7, Result.OK, 9, "")));
        assertThat(history.problems())
                .containsExactlyInAnyOrder(
                        "call 1 began twice",
                        "call 1 came back twice",
                        "call 7 came back unasked",
                        "call 1 came back before it began");
    }

    @Test
    void aRetryIsOfItsActorsLastCallAndSettlesIt() {
        RunHistory history =
                RunHistory.of(
                        List.of(
                                invoked(10, 1, 1, Action.TRY_LOCK),
                                new Returned(11, 1, Result.INFO, 0, ""),
                                invoked(12, 2, 2, Action.LOCK),
                                invoked(13, 3, 1, Action.RETRY),
                                new Returned(14, 3, Result.INFO, 0, ""),
                                invoked(15, 4, 1, Action.RETRY),
                                new Returned(16, 4, Result.OK, 5, "")));
        Operation first = history.operation(1);
        assertThat(history.retriedBy(history.operation(3))).contains(first);
        assertThat(history.retriedBy(history.operation(4))).contains(first);
        assertThat(history.settledNanos(first)).isEqualTo(16);
        assertThat(history.settledNanos(history.operation(2))).isEqualTo(Operation.NEVER);
    }

    @Test
    void toEnterALockAgainThatWasLostIsAnAcquire() {
        Invoked again = new Invoked(1, 1, "A", 1, Action.REENTER, "k", 5);
        assertThat(new Operation(again, new Returned(2, 1, Result.OK, 5, "")).isAcquire())
                .isFalse();
        assertThat(new Operation(again, new Returned(2, 1, Result.INFO, 9, "")).isAcquire())
                .isTrue();
        assertThat(new Operation(again, null).isAcquire()).isFalse();
    }

    @Test
    void faultsAndPhasesHaveTheirTimes() {
        RunHistory history =
                RunHistory.of(
                        List.of(
                                new PhaseBegan(5, Phase.FAULTS),
                                new FaultBegan(10, 0, "cut", "n1, n2>n3", "n1", 4),
                                new FaultEnded(20, 0, "cut", "7 packets"),
                                new FaultBegan(30, 1, "kill", "n2", "n1", 4)));
        assertThat(history.beganNanos(Phase.FAULTS)).hasValue(5);
        assertThat(history.beganNanos(Phase.FINAL)).isEmpty();
        FaultInterval cut = history.faults().get(0);
        assertThat(cut.targets()).containsExactly("n1", "n2", "n3");
        assertThat(cut.proof()).isEqualTo("7 packets");
        assertThat(cut.touches(20, 25)).isTrue();
        assertThat(cut.touches(21, 25)).isFalse();
        assertThat(cut.touches(5, 9)).isFalse();
        assertThat(history.faults().get(1).endedNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aBeliefLastsToTheLastLookThatFoundTheLockHeld() {
        RunHistory history =
                RunHistory.of(
                        List.of(
                                new Believed(10, 1, false, false),
                                new Believed(30, 1, true, true),
                                new Believed(20, 2, true, false)));
        assertThat(history.believedUntil(1)).hasValue(30);
        assertThat(history.beliefs(2)).hasSize(1);
        assertThat(history.believedUntil(3)).isEmpty();
    }
}
