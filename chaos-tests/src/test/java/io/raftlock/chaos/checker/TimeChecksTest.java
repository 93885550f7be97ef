package io.raftlock.chaos.checker;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.Event.Action;
import io.raftlock.chaos.history.Event.Part;
import io.raftlock.chaos.history.Event.Phase;
import io.raftlock.chaos.history.Event.Result;
import io.raftlock.chaos.ledger.LogFixture;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What has to do with time (invariants 10, 11, 12, 14). */
class TimeChecksTest {
    private static final long TTL = LogFixture.TTL_MILLIS;

    private final RunFixture run = new RunFixture();

    private List<Violation> expiry(CheckSettings settings) {
        return new ExpiryCheck().check(run.evidence(settings));
    }

    private List<Violation> belief(CheckSettings settings) {
        return new BeliefCheck().check(run.evidence(settings));
    }

    // -- belief

    @Test
    void beliefsThatFollowEachOtherAreAccepted() {
        long a = run.lock("A", "k", 10, 20);
        run.believes(run.lastCall(), 50).release("A", "k", a, 51, 60);
        run.lock("B", "k", 55, 58);
        run.believes(run.lastCall(), 90);
        assertThat(belief(CheckSettings.DEFAULT)).isEmpty();
        assertThat(new BeliefCheck().look(run.evidence()).lookedAt()).isEqualTo(2);
    }

    @Test
    void beliefsThatOverlapAreRejectedUnlessTheClientsClockWasChanged() {
        overlappingBeliefs();
        assertThat(belief(CheckSettings.DEFAULT))
                .singleElement()
                .satisfies(one -> assertThat(one.calls()).containsExactly(1L, 2L))
                .satisfies(one -> assertThat(one.atNanos()).isEqualTo(40 * RunFixture.MILLI));

        run.event(new Event.ClientStarted(1, "host-a", "A", "w", 1));
        run.fault(0, "clock", "host-a", 15, 25, "yes");
        assertThat(belief(CheckSettings.DEFAULT)).hasSize(1);
        CheckSettings clocks =
                CheckSettings.DEFAULT.withClockKinds(Set.of("clock"), Set.of("node-clock"));
        assertThat(belief(clocks)).isEmpty();
    }

    @Test
    void anotherClientsClockIsNoExcuse() {
        overlappingBeliefs();
        run.fault(0, "clock", "C", 15, 25, "yes");
        CheckSettings clocks = CheckSettings.DEFAULT.withClockKinds(Set.of("clock"), Set.of());
        assertThat(belief(clocks)).hasSize(1);
    }

    private void overlappingBeliefs() {
        run.lock("A", "k", 10, 20);
        run.believes(run.lastCall(), 50);
        run.log().expire(run.session("A"));
        run.lock("B", "k", 30, 40);
        run.believes(run.lastCall(), 60);
    }

    @Test
    void theHoldOfARetryIsABeliefToo() {
        long call = run.invoked("A", Action.TRY_LOCK, "k", 0, 10);
        run.logAcquire("A", "k", false);
        run.returned(call, Result.INFO, 0, 11);
        long retry = run.invoked("A", Action.RETRY, "k", 0, 12);
        run.returned(retry, Result.OK, run.log().position(), 15);
        run.believes(retry, 50);
        run.log().expire(run.session("A"));
        run.lock("B", "k", 30, 40);
        run.believes(run.lastCall(), 60);
        assertThat(belief(CheckSettings.DEFAULT)).hasSize(1);
    }

    // -- expiry

    @Test
    void anExpiryAfterTheWholeTtlIsAccepted() {
        expiryAt(TTL + 30, TTL + 30);
        assertThat(expiry(CheckSettings.DEFAULT)).isEmpty();
        assertThat(new ExpiryCheck().look(run.evidence()).lookedAt()).isPositive();
    }

    @Test
    void anExpiryThatOthersSawTooEarlyIsRejected() {
        expiryAt(TTL / 2, TTL + 30);
        assertThat(expiry(CheckSettings.DEFAULT)).hasSize(1);
        run.fault(0, "clock", "A", 0, 5, "yes");
        assertThat(expiry(CheckSettings.DEFAULT.withClockKinds(Set.of("clock"), Set.of())))
                .isEmpty();
    }

    @Test
    void anExpiryThatIsTooEarlyOnTheClusterClockIsRejected() {
        expiryAt(TTL + 30, TTL / 2);
        assertThat(expiry(CheckSettings.DEFAULT)).hasSize(1);
        run.fault(0, "clock", "n1", 0, 5, "yes");
        assertThat(expiry(CheckSettings.DEFAULT.withClockKinds(Set.of(), Set.of("clock"))))
                .isEmpty();
    }

    /** A takes a lock at 10 and falls silent; B's call at the end shows that A has expired. */
    private void expiryAt(long byTheClients, long byTheCluster) {
        run.session("B");
        run.lock("A", "k", 10, 15);
        run.log().stamp(byTheCluster);
        run.log().expire(run.session("A"));
        run.lock("B", "k", byTheClients - 5, byTheClients);
    }

    @Test
    void aGuardThatSaysHeldAfterTheExpiryIsRejected() {
        expiryAt(TTL + 30, TTL + 30);
        run.believes(1, TTL + 29);
        assertThat(expiry(CheckSettings.DEFAULT)).isEmpty();
        run.believes(1, TTL + 31);
        assertThat(expiry(CheckSettings.DEFAULT)).hasSize(1);
    }

    @Test
    void anExpiryThatTheLogDoesNotHaveIsRejected() {
        long session = run.session("A").value();
        run.event(new Event.SessionSeen(5, "A", "LOST", session, "LEASE_RAN_OUT"));
        assertThat(expiry(CheckSettings.DEFAULT)).isEmpty();
        run.event(new Event.SessionSeen(6, "A", "LOST", session, "SESSION_EXPIRED"));
        assertThat(expiry(CheckSettings.DEFAULT)).hasSize(1);
    }

    @Test
    void aClientThatNotedAnEarlyExpiryIsHeard() {
        run.event(new Event.Noted(5, "early-expiry", "A", "3 ms before its lease"));
        assertThat(expiry(CheckSettings.DEFAULT)).hasSize(1);
    }

    // -- leaks

    @Test
    void holdsAndWaitersAtTheEndAreRejected() {
        run.phase(Phase.FINAL, 100);
        run.seen("n1", "LEADER", 1, 0, "", 110);
        assertThat(new LeakCheck().check(run.evidence())).isEmpty();
        assertThat(new LeakCheck().look(run.evidence()).lookedAt()).isEqualTo(1);
        run.event(node(120, 1, 0)).event(node(130, 0, 0));
        assertThat(new LeakCheck().check(run.evidence())).isEmpty();
        run.event(node(140, 0, 1));
        assertThat(new LeakCheck().check(run.evidence())).hasSize(1);
    }

    private static Event node(long at, int holds, int waiters) {
        return new Event.NodeSeen(
                at * RunFixture.MILLI, "n1", "LEADER", 1, "n1", 0, "", 0, holds, waiters);
    }

    @Test
    void aSessionThatOutlivesItsClientForLongIsRejected() {
        run.session("A");
        run.session("B");
        run.event(new Event.ClientEnded(100 * RunFixture.MILLI, "host", "A", 137));
        run.seen("n1", "LEADER", 1, 0, "", TTL + 200);
        assertThat(new LeakCheck().check(run.evidence())).isEmpty();
        run.seen("n1", "LEADER", 1, 0, "", TTL + 20_000);
        assertThat(new LeakCheck().check(run.evidence())).hasSize(1);
        run.log().expire(run.session("A"));
        assertThat(new LeakCheck().check(run.evidence())).isEmpty();
    }

    @Test
    void aLockThatIsTakenWhenNobodyIsThereIsRejected() {
        run.event(new Event.ClientStarted(5 * RunFixture.MILLI, "sweep", "S", "SWEEP", 1));
        long call = run.invoked("S", Action.TRY_LOCK, "k", 0, 10);
        run.returned(call, Result.OK, 1, 20);
        assertThat(new LeakCheck().check(run.evidence())).isEmpty();
        run.returned(run.invoked("A", Action.TRY_LOCK, "m", 0, 10), Result.FAIL, 0, 20);
        assertThat(new LeakCheck().check(run.evidence())).isEmpty();
        run.returned(run.invoked("S", Action.TRY_LOCK, "m", 0, 10), Result.FAIL, 0, 20);
        assertThat(new LeakCheck().check(run.evidence())).hasSize(1);
    }

    // -- liveness

    @Test
    void aLongTimeWithoutAnswersInAFaultIsRejected() {
        run.lock("A", "k", 10, 20);
        run.fault(0, "kill", "n1", 30, 500, "yes");
        run.lock("A", "m", 100, 130);
        run.phase(Phase.FINAL, 600);
        assertThat(gapBound(470, Map.of())).isEmpty();
        assertThat(gapBound(469, Map.of())).hasSize(1);
        assertThat(gapBound(469, Map.of(0, Duration.ofSeconds(1)))).isEmpty();
        assertThat(gapBound(470, Map.of(0, Duration.ofMillis(10)))).hasSize(1);
        assertThat(
                        LivenessCheck.longestGap(
                                run.evidence().history().faults().get(0), run.evidence()))
                .isEqualTo(Duration.ofMillis(470));
    }

    private List<Violation> gapBound(long millis, Map<Integer, Duration> byStep) {
        return new LivenessCheck()
                .check(
                        run.evidence(
                                CheckSettings.DEFAULT.withBounds(
                                        Duration.ofMillis(millis), byStep, Duration.ofHours(1))));
    }

    @Test
    void aGapMayBeLongerByWhatTheMachineStoodStillInAndAfterTheFault() {
        gapOf(30, 500);
        assertThat(gapBound(450, Map.of())).hasSize(1);
        stall(Part.DISK, 200, 215);
        assertThat(gapBound(450, Map.of())).hasSize(1);
        stall(Part.PROCESSORS, 210, 220);
        assertThat(gapBound(450, Map.of())).isEmpty();
        assertThat(gapBound(449, Map.of()))
                .singleElement()
                .satisfies(
                        one ->
                                assertThat(one.what())
                                        .endsWith(
                                                "for 470 ms; the bound is 449 ms and 20 ms more,"
                                                        + " as the machine stood still"));
        assertThat(gapBound(1_000, Map.of(0, Duration.ofMillis(450)))).isEmpty();
        assertThat(gapBound(1_000, Map.of(0, Duration.ofMillis(449)))).hasSize(1);
    }

    @Test
    void whatTheMachineStoodStillAtOtherTimesIsNoExcuse() {
        gapOf(30, 500);
        stall(Part.PROCESSORS, 0, 30);
        stall(Part.DISK, 600, 900);
        assertThat(gapBound(469, Map.of()))
                .singleElement()
                .satisfies(
                        one -> assertThat(one.what()).endsWith("for 470 ms; the bound is 469 ms"));
        stall(Part.DISK, 10, 31);
        assertThat(gapBound(469, Map.of())).isEmpty();
    }

    @Test
    void noBoundIsMuchLongerHoweverLongTheMachineStoodStill() {
        long most = LivenessCheck.MOST_ALLOWED.toMillis();
        gapOf(30, 30_000);
        stall(Part.PROCESSORS, 30, 8_000);
        stall(Part.DISK, 9_000, 29_000);
        assertThat(gapBound(29_970 - most, Map.of())).isEmpty();
        assertThat(gapBound(29_970 - most - 1, Map.of())).hasSize(1);
    }

    /** The last answer comes in time, and the next one never does. */
    private void gapOf(long answered, long ended) {
        run.lock("A", "k", 10, answered);
        run.fault(0, "kill", "n1", answered, ended, "yes");
        run.phase(Phase.FINAL, ended);
    }

    private void stall(Part part, long from, long to) {
        run.event(
                new Event.MachineStalled(
                        from * RunFixture.MILLI, part, (to - from) * RunFixture.MILLI));
    }

    @Test
    void aCallMayTakeLongerByWhatTheMachineStoodStillMeanwhile() {
        long call = run.invoked("A", Action.LOCK, "m", 0, 30);
        run.returned(call, Result.FAIL, 0, 190);
        run.phase(Phase.STOP, 200);
        stall(Part.PROCESSORS, 190, 300);
        assertThat(answerBound(159)).hasSize(1);
        stall(Part.DISK, 100, 110);
        assertThat(answerBound(150)).isEmpty();
        assertThat(answerBound(149))
                .singleElement()
                .satisfies(one -> assertThat(one.what()).contains("its bound is 149 ms and 10 ms"));
    }

    @Test
    void callsThatDoNotComeBackOrTakeTooLongAreRejected() {
        run.lock("A", "k", 10, 20);
        run.invoked("A", Action.LOCK, "m", 0, 30);
        run.invoked("C", Action.LOCK, "m", 0, 30);
        run.event(new Event.ClientEnded(50 * RunFixture.MILLI, "host", "C", 137));
        run.phase(Phase.STOP, 200);
        assertThat(answerBound(1_000))
                .singleElement()
                .satisfies(one -> assertThat(one.calls()).containsExactly(2L));
        run.returned(2, Result.FAIL, 0, 190);
        assertThat(answerBound(160)).isEmpty();
        assertThat(answerBound(159)).hasSize(1);
    }

    private List<Violation> answerBound(long millis) {
        return new LivenessCheck()
                .check(
                        run.evidence(
                                CheckSettings.DEFAULT.withBounds(
                                        Duration.ofHours(1), Map.of(), Duration.ofMillis(millis))));
    }
}
