package io.raftlock.server.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.LockName;
import io.raftlock.protocol.ProtocolLimits;
import io.raftlock.protocol.SessionId;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** Exclusion, order, tokens, and refusals of what makes no sense. */
class LockStateMachineTest {
    private final TestLog log = new TestLog();
    private final TestSession a = log.open();
    private final TestSession b = log.open();
    private final TestSession c = log.open();

    @Test
    void aFreeLockIsGrantedAndATakenOneIsNot() {
        Command.Acquire first = a.acquire("k");
        Command.Acquire second = b.acquire("k");
        assertThat(log.apply(first)).isInstanceOf(Outcome.Granted.class);
        assertThat(log.apply(second)).isEqualTo(new Outcome.Queued(1));
        assertThat(log.holds(first)).isTrue();
        assertThat(log.waits(second)).isTrue();
        assertThat(log.machine().holdCount()).isEqualTo(1);
        assertThat(log.machine().waiterCount()).isEqualTo(1);
    }

    @Test
    void whetherAnAcquireWouldQueueIsKnownBefore() {
        assertThat(log.machine().wouldQueue(a.acquire("k"))).isFalse();
        log.apply(a.acquire("k"));
        log.apply(b.acquire("k"));
        assertThat(log.machine().wouldQueue(c.acquire("k"))).isTrue();
        assertThat(log.machine().wouldQueue(c.tryAcquire("k"))).as("refused at once").isFalse();
        assertThat(log.machine().wouldQueue(a.acquire("k"))).as("holds it").isFalse();
        assertThat(log.machine().wouldQueue(b.acquire("k"))).as("waits already").isFalse();
        assertThat(log.machine().wouldQueue(c.acquire("j"))).as("another lock").isFalse();
    }

    @Test
    void twoAcquiresInOneEntryDoNotBothGetTheLock() {
        List<Outcome> outcomes = log.applyEntry(a.acquire("k"), b.acquire("k"), c.acquire("k"));
        assertThat(outcomes.get(0)).isInstanceOf(Outcome.Granted.class);
        assertThat(outcomes.subList(1, 3))
                .containsExactly(new Outcome.Queued(1), new Outcome.Queued(2));
    }

    @Test
    void locksOfDifferentNamesDoNotMeet() {
        assertThat(log.apply(a.acquire("j"))).isInstanceOf(Outcome.Granted.class);
        assertThat(log.apply(b.acquire("k"))).isInstanceOf(Outcome.Granted.class);
        assertThat(log.machine().holdCount()).isEqualTo(2);
    }

    @Test
    void ownersOfOneSessionExcludeEachOther() { // E46
        log.apply(a.acquire("k", 1));
        assertThat(log.apply(a.acquire("k", 2))).isEqualTo(new Outcome.Queued(1));
    }

    @Test
    void waitersAreServedInTheOrderOfTheLog() {
        Command.Acquire holder = a.acquire("k");
        List<Command.Acquire> queue = new ArrayList<>();
        log.apply(holder);
        for (long owner = 1; owner <= 5; owner++) {
            queue.add(b.acquire("k", owner));
            queue.add(c.acquire("k", owner));
        }
        queue.forEach(log::apply);

        log.apply(a.release("k", log.token(holder)));
        for (Command.Acquire next : queue) {
            assertThat(log.holds(next)).isTrue();
            TestSession session = next.session().equals(b.id()) ? b : c;
            log.apply(session.release("k", next.owner(), log.token(next)));
        }
        assertThat(log.machine().holdCount()).isZero();
        assertThat(log.machine().waiterCount()).isZero();
    }

    @Test
    void aReleaseTellsTheNextOwnerAndNobodyElse() { // E38
        Command.Acquire holder = a.acquire("k");
        log.apply(holder);
        Command.Acquire next = b.acquire("k");
        log.applyEntry(next, c.acquire("k"));
        log.apply(a.release("k", log.token(holder)));
        assertThat(log.notices())
                .containsExactly(
                        new Notice.WaiterGranted(b.id(), next.number(), log.token(next), 0));
    }

    @Test
    void theTokenIsThePositionOfTheGrantAndNotOfTheRequest() { // E13
        Command.Acquire first = a.acquire("k");
        Command.Acquire second = b.acquire("k");
        log.applyEntry(new Command.Stamp(), first, second);
        long firstIndex = log.machine().appliedIndex();
        assertThat(log.token(first)).isEqualTo(LogPosition.of(firstIndex, 1).value());

        log.applyEntry(new Command.Stamp(), a.release("k", log.token(first)));
        assertThat(log.token(second)).isEqualTo(LogPosition.of(firstIndex + 1, 1).value());
        assertThat(new LogPosition(log.token(second)).index()).isEqualTo(firstIndex + 1);
    }

    @Test
    void tokensOfALockGrowThoughItsNameWasFreeInBetween() { // E13
        long before = 0;
        for (int round = 0; round < 100; round++) {
            Command.Acquire acquire = a.acquire("k");
            log.apply(acquire);
            assertThat(log.token(acquire)).isGreaterThan(before);
            before = log.token(acquire);
            log.apply(a.release("k", before));
            log.restart();
        }
    }

    @Test
    void tokensStartAboveTheEpochBase() { // E13, E21
        long base = 1L << 40;
        TestLog raised = new TestLog(new LockStateMachine(emptyWithEpochBase(base)));
        TestSession session = raised.open();
        Command.Acquire acquire = session.acquire("k");
        raised.apply(acquire);
        assertThat(raised.token(acquire)).isEqualTo(base + LogPosition.of(2, 0).value());
        assertThat(raised.snapshot().epochBase()).isEqualTo(base);
    }

    private static Snapshot emptyWithEpochBase(long base) {
        return new Snapshot(0, 0, base, 1, List.of(), List.of());
    }

    @Test
    void aStrangerCannotReleaseEvenWithTheRightToken() { // H9
        Command.Acquire holder = a.acquire("k", 1);
        log.apply(holder);
        long token = log.token(holder);
        assertThat(log.apply(b.release("k", token))).isEqualTo(refused(ErrorCode.NOT_HOLDER));
        assertThat(log.apply(a.release("k", 2, token))).isEqualTo(refused(ErrorCode.NOT_HOLDER));
        assertThat(log.holds(holder)).isTrue();
    }

    @Test
    void anOldTokenDoesNotReleaseALaterHoldOfTheSameOwner() { // H9
        Command.Acquire first = a.acquire("k");
        log.apply(first);
        long old = log.token(first);
        log.apply(a.release("k", old));
        Command.Acquire again = a.acquire("k");
        log.apply(again);
        assertThat(log.apply(a.release("k", old))).isEqualTo(refused(ErrorCode.NOT_HOLDER));
        assertThat(log.holds(again)).isTrue();
    }

    @Test
    void aWaiterOrAnOwnerOfNothingCannotRelease() { // E18
        Command.Acquire holder = a.acquire("k");
        log.apply(holder);
        log.apply(b.acquire("k"));
        assertThat(log.apply(b.release("k", log.token(holder))))
                .isEqualTo(refused(ErrorCode.NOT_HOLDER));
        assertThat(log.apply(b.release("free", 1))).isEqualTo(refused(ErrorCode.NOT_HOLDER));
    }

    @Test
    void tryLockDoesNotWait() {
        log.apply(a.acquire("k"));
        Command.Acquire attempt = b.tryAcquire("k");
        assertThat(log.apply(attempt)).isEqualTo(refused(ErrorCode.NOT_AVAILABLE));
        assertThat(log.isGone(attempt)).isTrue();
        assertThat(log.apply(b.tryAcquire("free"))).isInstanceOf(Outcome.Granted.class);
    }

    @Test
    void anOwnerIsNotQueuedBehindItself() { // H1, E40
        log.apply(a.acquire("k"));
        assertThat(log.apply(a.acquire("k"))).isEqualTo(refused(ErrorCode.ALREADY_HELD));
        log.apply(b.acquire("k"));
        assertThat(log.apply(b.acquire("k"))).isEqualTo(refused(ErrorCode.ALREADY_HELD));
        assertThat(log.machine().waiterCount()).isEqualTo(1);
    }

    @Test
    void aQueueIsBounded() { // E36
        log.apply(a.acquire("k"));
        LockStateMachine machine = log.machine();
        long index = machine.appliedIndex();
        for (int owner = 1; owner <= FairQueue.MAX_WAITERS; owner++) {
            b.acknowledge();
            machine.apply(++index, new Entry(0, List.of(b.acquire("k", owner))));
        }
        assertThat(machine.waiterCount()).isEqualTo(FairQueue.MAX_WAITERS);
        Command.Acquire tooMuch = c.acquire("k");
        assertThat(machine.apply(++index, new Entry(0, List.of(tooMuch))).outcomes())
                .containsExactly(refused(ErrorCode.QUEUE_FULL));
        assertThat(log.isGone(tooMuch)).isTrue();
        // All of them leave in the one entry that ends their session.
        machine.apply(++index, new Entry(0, List.of(b.close())));
        assertThat(machine.waiterCount()).isZero();
    }

    @Test
    void whatMakesNoSenseIsRefusedAndChangesNothing() { // E18, E31
        TestSession gone = log.open();
        log.apply(gone.close());
        SessionId never = new SessionId(999);
        LockName k = new LockName("k");
        LockName free = new LockName("free");
        log.apply(a.acquire("k"));
        Snapshot before = log.snapshot();

        assertThat(
                        log.applyEntry(
                                new Command.Malformed(),
                                new Command.Acquire(never, 1, 0, k, 1, true, 0, ""),
                                new Command.Release(never, 1, 0, k, 1, 1),
                                new Command.CancelAcquire(never, 1, 0, 1),
                                gone.acquire("k"),
                                gone.close(),
                                new Command.CloseSession(never, a.secret()),
                                new Command.ExpireSession(never, 1),
                                new Command.ExpireHold(free, 1),
                                new Command.ExpireHold(k, 1),
                                new Command.Stamp()))
                .containsExactly(
                        refused(ErrorCode.MALFORMED),
                        refused(ErrorCode.SESSION_EXPIRED),
                        refused(ErrorCode.SESSION_EXPIRED),
                        refused(ErrorCode.SESSION_EXPIRED),
                        refused(ErrorCode.SESSION_EXPIRED),
                        new Outcome.SessionClosed(),
                        new Outcome.SessionClosed(),
                        new Outcome.Overtaken(),
                        new Outcome.Overtaken(),
                        new Outcome.Overtaken(),
                        new Outcome.Done());
        assertThat(log.snapshot().sessions()).isEqualTo(before.sessions());
        assertThat(log.snapshot().locks()).isEqualTo(before.locks());
        assertThat(log.notices()).isEmpty();
    }

    @Test
    void valuesOutOfBoundsAreRefused() { // E18, E31
        LockName k = new LockName("k");
        assertThat(
                        log.applyEntry(
                                new Command.Acquire(a.id(), 0, -1, k, 1, true, 0, ""),
                                new Command.Acquire(a.id(), -5, -9, k, 1, true, 0, ""),
                                new Command.Acquire(a.id(), 5, 5, k, 1, true, 0, ""),
                                new Command.Release(a.id(), 5, 6, k, 1, 1),
                                a.lease("k", -1),
                                a.lease("k", Long.MIN_VALUE),
                                a.lease("k", ProtocolLimits.MAX_HOLD_MILLIS + 1)))
                .containsOnly(refused(ErrorCode.MALFORMED));
        assertThat(log.machine().holdCount()).isZero();
        assertThat(log.apply(a.lease("k", ProtocolLimits.MAX_HOLD_MILLIS)))
                .isInstanceOf(Outcome.Granted.class);
    }

    @Test
    void anEntryWithoutCommandsHasNoOutcomes() { // E18
        assertThat(log.applyEntry()).isEmpty();
        assertThat(log.notices()).isEmpty();
    }

    @Test
    void anEntryIsAppliedOnceAndInOrder() { // H10
        LockStateMachine machine = log.machine();
        Entry entry = new Entry(0, List.of(new Command.Stamp()));
        long index = machine.appliedIndex();
        machine.apply(index + 7, entry); // the engine's own entries take indexes too
        assertThatThrownBy(() -> machine.apply(index + 7, entry))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> machine.apply(index, entry))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void namesUsedOnceLeaveNothingBehind() { // E42
        Snapshot before = log.snapshot();
        for (int round = 0; round < 1_000; round++) {
            a.acknowledge();
            Command.Acquire acquire = a.lease("name-" + round, 1_000);
            log.apply(acquire);
            log.apply(a.release("name-" + round, log.token(acquire)));
        }
        assertThat(log.machine().holdCount()).isZero();
        assertThat(log.machine().waiterCount()).isZero();
        assertThat(log.machine().hasDeadlines()).isFalse();
        assertThat(log.snapshot().locks()).isEmpty();
        assertThat(log.snapshot().sessions()).hasSameSizeAs(before.sessions());
        assertThat(log.snapshot().sessions().get(0).answers()).hasSizeLessThanOrEqualTo(2);
    }

    private static Outcome refused(ErrorCode code) {
        return new Outcome.Refused(code);
    }
}
