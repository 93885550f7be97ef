package io.raftlock.server.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.ErrorCode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;

/** After a cancel the acquire neither holds nor waits, whatever it did before. */
class CancelTest {
    private static final Outcome CANCELLED = new Outcome.Cancelled();
    private static final Outcome REFUSED = new Outcome.Refused(ErrorCode.CANCELLED);

    private final TestLog log = new TestLog();
    private final TestSession a = log.open();
    private final TestSession b = log.open();
    private final TestSession c = log.open();

    @Test
    void aWaiterLeavesTheQueueAndTheOthersKeepTheirOrder() { // H2
        Command.Acquire holder = a.acquire("k");
        Command.Acquire waiter = b.acquire("k");
        Command.Acquire next = c.acquire("k");
        log.applyEntry(holder, waiter, next);
        assertThat(log.apply(b.cancel(waiter))).isEqualTo(CANCELLED);
        assertThat(log.isGone(waiter)).isTrue();
        assertThat(log.machine().waiterCount()).isEqualTo(1);
        assertThat(log.apply(waiter)).isEqualTo(REFUSED);
        log.apply(a.release("k", log.token(holder)));
        assertThat(log.holds(next)).isTrue();
    }

    @Test
    void aHolderGivesTheLockToTheNextInTheSameEntry() { // H1, H2
        Command.Acquire holder = a.acquire("k");
        Command.Acquire next = b.acquire("k");
        log.applyEntry(holder, next);
        assertThat(log.apply(a.cancel(holder))).isEqualTo(CANCELLED);
        assertThat(log.isGone(holder)).isTrue();
        assertThat(log.holds(next)).isTrue();
        assertThat(log.notices()).hasSize(1);
        assertThat(log.apply(holder)).isEqualTo(REFUSED);
    }

    @Test
    void aCancelThatComesBeforeItsAcquireWins() { // H2
        Command.Acquire late = a.acquire("k");
        assertThat(log.apply(a.cancel(late))).isEqualTo(CANCELLED);
        log.restart();
        assertThat(log.apply(late)).isEqualTo(REFUSED);
        assertThat(log.machine().holdCount()).isZero();
        assertThat(log.apply(b.acquire("k"))).isInstanceOf(Outcome.Granted.class);
    }

    @Test
    void aCancelAfterTheReleaseChangesNothing() { // H2
        Command.Acquire acquire = a.acquire("k");
        Outcome granted = log.apply(acquire);
        log.apply(a.release("k", log.token(acquire)));
        Command.Acquire next = b.acquire("k");
        log.apply(next);
        assertThat(log.apply(a.cancel(acquire))).isEqualTo(CANCELLED);
        assertThat(log.holds(next)).isTrue();
        assertThat(log.apply(acquire)).isEqualTo(granted);
    }

    @Test
    void aCancelOfAnAcknowledgedAcquireStillEndsIt() { // H2
        Command.Acquire holder = a.acquire("k");
        log.apply(holder);
        a.acknowledge();
        assertThat(log.apply(a.cancel(holder))).isEqualTo(CANCELLED);
        assertThat(log.machine().holdCount()).isZero();
        assertThat(log.snapshot().sessions().get(0).answers()).hasSize(1);
    }

    @Test
    void aCancelOfAnAcquireThatEndedLongAgoKeepsNoAnswerForIt() { // E19
        Command.Acquire acquire = a.acquire("k");
        log.apply(acquire);
        log.apply(a.release("k", log.token(acquire)));
        a.acknowledge();
        assertThat(log.apply(a.cancel(acquire))).isEqualTo(CANCELLED);
        assertThat(log.snapshot().sessions().get(0).answers()).hasSize(1);
    }

    @Test
    void aCancelDoesNotReachIntoOtherSessions() {
        Command.Acquire holder = a.acquire("k");
        log.apply(holder);
        assertThat(log.apply(b.cancel(holder))).isEqualTo(CANCELLED);
        assertThat(log.holds(holder)).isTrue();
    }

    @Test
    void aCancelOfItsOwnNumberOrOfARequestOfAnotherKindIsHarmless() { // E18
        Command.Acquire holder = a.acquire("k");
        log.apply(holder);
        Command.Release release = a.release("k", log.token(holder));
        log.apply(release);
        assertThat(log.apply(a.cancel(release.number()))).isEqualTo(CANCELLED);
        assertThat(log.apply(release)).isEqualTo(new Outcome.Released());
        Command.CancelAcquire itself = new Command.CancelAcquire(a.id(), 50, 0, 50);
        assertThat(log.applyEntry(itself, itself)).containsOnly(CANCELLED);
        assertThat(log.apply(a.cancel(-3))).isEqualTo(CANCELLED);
    }

    @Test
    void aCancelledOwnerCanAskAnew() { // E40
        log.apply(a.acquire("k"));
        Command.Acquire first = b.acquire("k");
        log.applyEntry(first, b.cancel(first));
        assertThat(log.apply(b.acquire("k"))).isEqualTo(new Outcome.Queued(1));
    }

    /** B waits behind A and gives up; A releases; C tries last. In every order somebody has it. */
    @ParameterizedTest
    @ValueSource(strings = {"wrc", "wcr", "cwr", "crw", "rwc", "rcw"})
    void inEveryOrderOfWaitReleaseAndCancelTheLockIsNotLeftWithNobody(String order) { // H2
        for (boolean batched : new boolean[] {false, true}) {
            Command.Acquire holder = a.acquire("k");
            log.apply(holder);
            Command.Acquire wait = b.acquire("k");
            Command.CancelAcquire cancel = b.cancel(wait);
            Command.Release release = a.release("k", log.token(holder));
            List<Command> commands = new ArrayList<>();
            for (char each : order.toCharArray()) {
                commands.add(each == 'w' ? wait : each == 'c' ? cancel : release);
            }
            if (batched) {
                log.applyEntry(commands.toArray(Command[]::new));
            } else {
                commands.forEach(log::apply);
            }
            assertThat(log.isGone(wait)).isTrue();
            Command.Acquire last = c.tryAcquire("k");
            assertThat(log.apply(last)).isInstanceOf(Outcome.Granted.class);
            log.apply(c.release("k", log.token(last)));
        }
    }
}
