package io.raftlock.chaos.checker;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.Event.Action;
import io.raftlock.chaos.history.Event.Result;
import io.raftlock.server.lock.Outcome;

import org.junit.jupiter.api.Test;

import java.util.List;

/** Answers against the log, against each other, and against what may be (invariants 2, 3, 5-7). */
class AnswerChecksTest {
    private final RunFixture run = new RunFixture();

    private void passesAll() {
        for (Check check : answerChecks()) {
            assertThat(check.check(run.evidence())).as(check.title()).isEmpty();
        }
    }

    private static List<Check> answerChecks() {
        return Checks.ALL.stream()
                .filter(check -> check.invariant() <= 7 && check.invariant() != 4)
                .toList();
    }

    private void failsIn(Class<? extends Check> check) {
        Check found = Checks.ALL.stream().filter(check::isInstance).findFirst().orElseThrow();
        assertThat(found.check(run.evidence())).as(found.title()).isNotEmpty();
        assertThat(found.look(run.evidence()).lookedAt()).isPositive();
    }

    @Test
    void acceptsHoldsThatFollowEachOtherAndATryBetween() {
        long a = run.lock("A", "k", 10, 20);
        run.busy("B", "k", 21, 29);
        run.release("A", "k", a, 30, 40);
        long b = run.lock("B", "k", 35, 50);
        run.release("B", "k", b, 60, 70);
        passesAll();
        assertThat(new LogOrderCheck().look(run.evidence()).lookedAt()).isEqualTo(5);
        assertThat(new WglCheck().look(run.evidence()).lookedAt()).isEqualTo(5);
    }

    @Test
    void acceptsWhatAWaiterIsToldWhenTheHolderLeaves() {
        long a = run.lock("A", "k", 10, 20);
        long call = run.invoked("B", Action.LOCK, "k", 0, 25);
        run.logAcquire("B", "k", true);
        run.release("A", "k", a, 30, 40);
        run.returned(call, Result.OK, run.log().position(), 45);
        passesAll();
    }

    @Test
    void rejectsAGrantThatReturnedBeforeTheReleaseBegan() {
        long a = run.lock("A", "k", 10, 20);
        long call = run.invoked("B", Action.LOCK, "k", 0, 22);
        run.logAcquire("B", "k", true);
        run.release("A", "k", a, 30, 40);
        run.returned(call, Result.OK, run.log().position(), 29);
        failsIn(LogOrderCheck.class);
        failsIn(TokenOrderCheck.class);
        failsIn(WglCheck.class);
    }

    @Test
    void rejectsATryThatFoundTheLockTakenBeforeAnybodyHadIt() {
        run.session("B");
        long call = run.invoked("B", Action.TRY_LOCK, "k", 0, 1);
        run.returned(call, Result.FAIL, 0, 5);
        long a = run.lock("A", "k", 10, 20);
        run.log().acquire(run.session("B"), "k", call, false);
        run.release("A", "k", a, 30, 40);
        failsIn(LogOrderCheck.class);
        failsIn(WglCheck.class);
    }

    @Test
    void rejectsAnOrderOfTwoLocksThatIsNotThatOfTheClock() {
        long late = run.invoked("A", Action.LOCK, "m", 0, 50);
        long token = ((Outcome.Granted) run.logAcquire("A", "m", true)).token();
        run.returned(late, Result.OK, token, 60);
        run.lock("B", "k", 10, 20);
        failsIn(LogOrderCheck.class);
    }

    @Test
    void rejectsATokenThatTheLogDoesNotHave() {
        long call = run.invoked("A", Action.LOCK, "k", 0, 10);
        long token = ((Outcome.Granted) run.logAcquire("A", "k", true)).token();
        run.returned(call, Result.OK, token + 1, 20);
        failsIn(LogOrderCheck.class);
        failsIn(DurabilityCheck.class);
    }

    @Test
    void rejectsAGrantThatTheLogDoesNotHave() {
        run.lock("A", "m", 1, 2);
        long call = run.invoked("A", Action.LOCK, "k", 0, 10);
        run.returned(call, Result.OK, 5_000, 20);
        failsIn(DurabilityCheck.class);
    }

    @Test
    void rejectsAGrantThatIsAnothersInTheLog() {
        long token = run.lock("A", "k", 10, 20);
        long call = run.invoked("B", Action.LOCK, "k", 0, 10);
        run.returned(call, Result.OK, token, 20);
        failsIn(DurabilityCheck.class);
        failsIn(TokenCheck.class);
        failsIn(TokenOrderCheck.class);
    }

    @Test
    void rejectsAReleaseThatTheLogDoesNotHave() {
        long token = run.lock("A", "k", 10, 20);
        long call = run.invoked("A", Action.RELEASE, "k", token, 30);
        run.returned(call, Result.OK, 0, 40);
        failsIn(DurabilityCheck.class);
    }

    @Test
    void knowsAHoldWithoutItsCallByItsTokenAndItsClient() {
        long call = run.invoked("A", Action.LOCK, "k", 0, 10);
        run.log().acquire(run.session("A"), "k", 0, true);
        run.returned(call, Result.OK, run.log().position(), 20);
        passesAll();

        long other = run.invoked("B", Action.LOCK, "m", 0, 30);
        run.log().acquire(run.session("A"), "m", 0, true);
        run.returned(other, Result.OK, run.log().position(), 40);
        failsIn(DurabilityCheck.class);
    }

    @Test
    void rejectsALowerTokenForALaterGrant() {
        long first = run.invoked("A", Action.LOCK, "k", 0, 10);
        run.returned(first, Result.OK, 9_000, 20);
        long second = run.invoked("B", Action.LOCK, "k", 0, 30);
        run.returned(second, Result.OK, 8_000, 40);
        failsIn(TokenCheck.class);
    }

    @Test
    void rejectsAReentryThatChangesTheToken() {
        long token = run.lock("A", "k", 10, 20);
        long call = run.invoked("A", Action.REENTER, "k", token, 30);
        run.returned(call, Result.OK, token, 40);
        passesAll();
        long again = run.invoked("A", Action.REENTER, "k", token, 50);
        run.returned(again, Result.OK, token + 7, 60);
        failsIn(TokenCheck.class);
    }

    @Test
    void rejectsASecondReleaseThatWasToldOk() {
        long token = run.lock("A", "k", 10, 20);
        run.release("A", "k", token, 30, 40);
        passesAll();
        long call = run.invoked("A", Action.RELEASE, "k", token, 50);
        run.returned(call, Result.OK, 0, 60);
        failsIn(ExactlyOnceCheck.class);
    }

    @Test
    void aRetryIsToldTheSameAndSettlesTheCallWithoutAnAnswer() {
        long call = run.invoked("A", Action.TRY_LOCK, "k", 0, 10);
        long token = ((Outcome.Granted) run.logAcquire("A", "k", false)).token();
        run.returned(call, Result.INFO, 0, 11);
        long retry = run.invoked("A", Action.RETRY, "k", 0, 12);
        run.returned(retry, Result.OK, token, 20);
        passesAll();
        assertThat(run.evidence().history().settledNanos(run.evidence().history().operation(call)))
                .isEqualTo(20 * RunFixture.MILLI);

        long again = run.invoked("A", Action.RETRY, "k", 0, 22);
        run.returned(again, Result.OK, token + 5, 25);
        failsIn(ExactlyOnceCheck.class);
        failsIn(DurabilityCheck.class);
    }

    @Test
    void rejectsACallThatIsGrantedTwice() {
        run.session("A");
        long call = run.invoked("A", Action.LOCK, "k", 0, 10);
        run.logAcquire("A", "k", true);
        long first = run.log().position();
        run.logRelease("A", "k", first);
        run.logAcquire("A", "k", true);
        run.returned(call, Result.OK, first, 20);
        failsIn(ExactlyOnceCheck.class);
    }

    @Test
    void knowsWhichAnswersOfOneRequestMayFollowEachOther() {
        Outcome granted = new Outcome.Granted(1, 0);
        assertThat(ExactlyOnceCheck.follows(granted, granted)).isTrue();
        assertThat(ExactlyOnceCheck.follows(new Outcome.Queued(1), granted)).isTrue();
        assertThat(ExactlyOnceCheck.follows(granted, new Outcome.Granted(2, 0))).isFalse();
        assertThat(ExactlyOnceCheck.follows(granted, new Outcome.Queued(1))).isFalse();
        assertThat(ExactlyOnceCheck.follows(new Outcome.Released(), granted)).isFalse();
    }

    @Test
    void rejectsWhatAClientSaysOfItsOwnRetries() {
        run.lock("A", "k", 1, 2);
        run.event(new Event.Noted(3, "retry", "A", "first that, then this"));
        failsIn(ExactlyOnceCheck.class);
    }

    @Test
    void countsReadsAndRejectsOneThatIsStale() {
        run.event(new Event.Noted(3, "reads", "A", "17 agreed with what was told before"));
        assertThat(new ReadCheck().look(run.evidence()).lookedAt()).isEqualTo(17);
        passesAll();
        run.event(new Event.Noted(3, "read", "A", "expected this, but that"));
        failsIn(ReadCheck.class);
    }

    @Test
    void acceptsAFailedWaitThatWasGrantedTooLateAndTakenBack() {
        long a = run.lock("A", "k", 10, 20);
        long call = run.invoked("B", Action.TIMED_LOCK, "k", 0, 25);
        run.logAcquire("B", "k", true);
        long acquire = run.log().lastNumber();
        run.returned(call, Result.FAIL, 0, 27);
        run.release("A", "k", a, 30, 40);
        failsIn(FailCheck.class);
        run.log().cancel(run.session("B"), acquire);
        passesAll();
    }

    @Test
    void rejectsAFailedTryWhoseHoldWasUsed() {
        long call = run.invoked("A", Action.TRY_LOCK, "k", 0, 10);
        run.logAcquire("A", "k", false);
        run.returned(call, Result.FAIL, 0, 20);
        run.release("A", "k", run.log().position(), 30, 40);
        failsIn(FailCheck.class);
    }

    @Test
    void acceptsAFailedWaitWhoseLateHoldWasGivenBackByARelease() {
        long call = run.invoked("A", Action.TIMED_LOCK, "k", 0, 10);
        run.logAcquire("A", "k", false);
        run.returned(call, Result.FAIL, 0, 20);
        run.logRelease("A", "k", run.log().position());
        passesAll();
    }

    @Test
    void rejectsAReleaseThatFailedAndIsInTheLog() {
        long token = run.lock("A", "k", 10, 20);
        long call = run.invoked("A", Action.RELEASE, "k", token, 30);
        run.logRelease("A", "k", token);
        run.returned(call, Result.FAIL, 0, 40);
        failsIn(FailCheck.class);
    }

    @Test
    void acceptsARefusedReleaseOfAHoldThatIsOver() {
        long token = run.lock("A", "k", 10, 20);
        run.release("A", "k", token, 30, 40);
        long call = run.invoked("A", Action.RELEASE, "k", token, 50);
        run.logRelease("A", "k", token);
        run.event(new Event.Returned(60 * RunFixture.MILLI, call, Result.INFO, 0, "NOT_HOLDER"));
        passesAll();
        assertThat(new WglCheck().look(run.evidence()).lookedAt()).isEqualTo(3);
    }

    @Test
    void rejectsARefusedReleaseOfAHoldThatIsThere() {
        long token = run.lock("A", "k", 10, 20);
        long call = run.invoked("A", Action.RELEASE, "k", token, 25);
        run.event(new Event.Returned(28 * RunFixture.MILLI, call, Result.FAIL, 0, ""));
        run.release("A", "k", token, 30, 40);
        failsIn(TokenOrderCheck.class);
        failsIn(WglCheck.class);
    }

    @Test
    void acceptsACallWithoutAnAnswerThatTookTheLockUntilItsSessionEnded() {
        run.invoked("A", Action.LOCK, "k", 0, 10);
        run.logAcquire("A", "k", true);
        run.busy("B", "k", 12, 20);
        run.log().expire(run.session("A"));
        run.lock("B", "k", 30, 40);
        passesAll();
    }
}
