package io.raftlock.server.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.LockName;
import io.raftlock.protocol.ProtocolLimits;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.LongStream;

/** A request that comes again gets its first answer and has no second effect. */
class ExactlyOnceTest {
    private final TestLog log = new TestLog();
    private final TestSession a = log.open();
    private final TestSession b = log.open();
    private final TestSession c = log.open();

    @Test
    void aRetriedAcquireGetsTheSameTokenAndOneHold() { // H1
        Command.Acquire acquire = a.acquire("k");
        Outcome first = log.apply(acquire);
        assertThat(log.apply(acquire)).isEqualTo(first);
        log.restart();
        assertThat(log.apply(acquire)).isEqualTo(first);

        log.apply(b.acquire("k"));
        log.apply(a.release("k", log.token(acquire)));
        assertThat(log.machine().holdCount()).isEqualTo(1);
        assertThat(log.machine().waiterCount()).isZero();
    }

    @Test
    void aRequestAndItsCopyInOneEntryTakeEffectOnce() { // H1
        Command.Acquire acquire = a.acquire("k");
        var outcomes = log.applyEntry(acquire, acquire);
        assertThat(outcomes.get(1)).isEqualTo(outcomes.get(0));
    }

    @Test
    void aWaiterThatAsksAgainKeepsItsOnePlace() { // H1, E40
        log.apply(a.acquire("k"));
        Command.Acquire first = b.acquire("k");
        Command.Acquire second = c.acquire("k");
        log.applyEntry(first, second);
        for (int reconnect = 0; reconnect < 50; reconnect++) {
            assertThat(log.apply(second)).isEqualTo(new Outcome.Queued(2));
            log.restart();
        }
        assertThat(log.machine().waiterCount()).isEqualTo(2);
        assertThat(log.snapshot().locks().get(0).waiters())
                .extracting(Claim::session)
                .containsExactly(b.id(), c.id());
    }

    @Test
    void aWaiterThatAsksAgainAfterItsGrantLearnsOfIt() { // H1, H12
        Command.Acquire holder = a.acquire("k");
        Command.Acquire waiter = b.acquire("k");
        log.applyEntry(holder, waiter);
        log.apply(a.release("k", log.token(holder)));
        log.restart();
        assertThat(log.apply(waiter)).isEqualTo(new Outcome.Granted(log.token(waiter), 0));
    }

    @Test
    void aRefusedTryLockStaysRefusedThoughTheLockIsFreeByNow() { // H1
        Command.Acquire holder = a.acquire("k");
        log.apply(holder);
        Command.Acquire attempt = b.tryAcquire("k");
        log.apply(attempt);
        log.apply(a.release("k", log.token(holder)));
        assertThat(log.apply(attempt)).isEqualTo(refused(ErrorCode.NOT_AVAILABLE));
        assertThat(log.machine().holdCount()).isZero();
    }

    @Test
    void aRetriedReleaseSaysReleasedAndDoesNotTouchTheNextHolder() { // H9
        Command.Acquire holder = a.acquire("k");
        Command.Acquire waiter = b.acquire("k");
        log.applyEntry(holder, waiter);
        Command.Release release = a.release("k", log.token(holder));
        for (int attempt = 0; attempt < 4; attempt++) {
            assertThat(log.apply(release)).isEqualTo(new Outcome.Released());
            log.restart();
        }
        assertThat(log.holds(waiter)).isTrue();
    }

    @Test
    void aLateCopyOfAReleaseDoesNotEndTheOwnersNextHold() { // H9
        Command.Acquire first = a.acquire("k");
        log.apply(first);
        Command.Release release = a.release("k", log.token(first));
        log.apply(release);
        Command.Acquire again = a.acquire("k");
        log.apply(again);
        assertThat(log.apply(release)).isEqualTo(new Outcome.Released());
        assertThat(log.holds(again)).isTrue();
    }

    @Test
    void aLateCopyOfAnAcquireDoesNotTakeTheLockAgain() { // H1
        Command.Acquire acquire = a.acquire("k");
        Outcome granted = log.apply(acquire);
        log.apply(a.release("k", log.token(acquire)));
        assertThat(log.apply(acquire)).isEqualTo(granted);
        assertThat(log.machine().holdCount()).isZero();
    }

    @Test
    void aRefusedReleaseStaysRefused() { // H9
        Command.Release early = a.release("k", LogPosition.of(5, 0).value());
        assertThat(log.apply(early)).isEqualTo(refused(ErrorCode.NOT_HOLDER));
        log.apply(a.acquire("k")); // gets that very token
        assertThat(log.snapshot().locks().get(0).hold().token()).isEqualTo(early.token());
        assertThat(log.apply(early)).isEqualTo(refused(ErrorCode.NOT_HOLDER));
        assertThat(log.machine().holdCount()).isEqualTo(1);
    }

    @Test
    void aRetriedCancelDoesNotCancelMore() {
        Command.Acquire acquire = a.acquire("k");
        log.apply(acquire);
        Command.CancelAcquire cancel = a.cancel(acquire);
        log.apply(cancel);
        Command.Acquire again = a.acquire("k");
        log.apply(again);
        assertThat(log.apply(cancel)).isEqualTo(new Outcome.Cancelled());
        assertThat(log.holds(again)).isTrue();
    }

    @Test
    void aLateDuplicateAfterTheAcknowledgementHasNoEffect() { // E19
        Command.Acquire acquire = a.acquire("k");
        log.apply(acquire);
        Command.Release release = a.release("k", log.token(acquire));
        log.apply(release);
        a.acknowledge();
        log.apply(a.acquire("other"));
        assertThat(log.applyEntry(acquire, release))
                .containsOnly(refused(ErrorCode.ALREADY_COMPLETED));
        log.restart();
        assertThat(log.apply(acquire)).isEqualTo(refused(ErrorCode.ALREADY_COMPLETED));
        assertThat(log.machine().holdCount()).isEqualTo(1);
    }

    @Test
    void anAcknowledgedWaiterIsStillGranted() { // E19
        Command.Acquire holder = a.acquire("k");
        Command.Acquire waiter = b.acquire("k");
        log.applyEntry(holder, waiter);
        b.acknowledge();
        log.apply(b.acquire("other"));
        log.apply(a.release("k", log.token(holder)));
        assertThat(log.holds(waiter)).isTrue();
        assertThat(log.notices()).hasSize(1);
        assertThat(log.snapshot().sessions().get(1).answers()).hasSize(1);
    }

    @Test
    void anOlderAcknowledgementDoesNotTakeBackALaterOne() { // E19
        Command.Acquire first = a.acquire("k");
        log.apply(first);
        Command.Acquire delayed = a.acquire("j"); // still says that nothing is acknowledged
        Command.Acquire second = a.acquire("l");
        log.apply(second);
        a.acknowledge();
        log.apply(
                new Command.Acquire(a.id(), 9, first.number(), new LockName("m"), 1, true, 0, ""));
        assertThat(log.apply(delayed)).isInstanceOf(Outcome.Granted.class);
        assertThat(log.apply(first)).isEqualTo(refused(ErrorCode.ALREADY_COMPLETED));
    }

    @Test
    void aSessionThatAcknowledgesNothingIsBounded() { // E19
        for (int request = 0; request < ProtocolLimits.MAX_UNANSWERED_REQUESTS - 1; request++) {
            log.machine().apply(nextIndex(), entry(a.release("k", 1)));
        }
        Command.Release tooMuch = a.release("k", 1);
        assertThat(log.apply(tooMuch)).isEqualTo(refused(ErrorCode.TOO_MANY_REQUESTS));
        assertThat(log.snapshot().sessions().get(0).answers())
                .hasSizeLessThanOrEqualTo(ProtocolLimits.MAX_UNANSWERED_REQUESTS);
        // Other sessions do not feel it, and its own refusal is not kept: it can ask again.
        assertThat(log.apply(b.acquire("k"))).isInstanceOf(Outcome.Granted.class);
        log.apply(new Command.Release(a.id(), 1_000_000, 5_000, new LockName("k"), 1, 1));
        assertThat(log.apply(tooMuch)).isEqualTo(refused(ErrorCode.NOT_HOLDER));
    }

    @Test
    void theWindowBoundHoldsForCancelsThatKeepTwoAnswers() { // E19
        LongStream.rangeClosed(1, ProtocolLimits.MAX_UNANSWERED_REQUESTS)
                .forEach(
                        each ->
                                log.machine()
                                        .apply(nextIndex(), entry(a.cancel(1_000_000 + each))));
        assertThat(log.snapshot().sessions().get(0).answers())
                .hasSize(ProtocolLimits.MAX_UNANSWERED_REQUESTS);
    }

    @Test
    void aClientThatAcknowledgesKeepsAFewAnswers() { // E19
        for (int round = 0; round < 20_000; round++) {
            a.acknowledge();
            Command.Acquire acquire = a.acquire("k");
            log.machine().apply(nextIndex(), entry(acquire));
            log.machine().apply(nextIndex(), entry(a.release("k", log.token(acquire))));
        }
        assertThat(log.snapshot().sessions().get(0).answers()).hasSize(2);
    }

    private long nextIndex() {
        return log.machine().appliedIndex() + 1;
    }

    private static Entry entry(Command command) {
        return new Entry(0, List.of(command));
    }

    private static Outcome refused(ErrorCode code) {
        return new Outcome.Refused(code);
    }
}
