package io.raftlock.chaos.checker;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.ledger.End;
import io.raftlock.chaos.ledger.Held;
import io.raftlock.chaos.ledger.Waited;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Set;

/** What the log and the nodes say (invariants 1, 3, 8, 9, 13, 15). */
class LogChecksTest {
    private final RunFixture run = new RunFixture();

    private static Held held(long granted, long ended) {
        return new Held("k", granted, 1, granted, granted, granted, ended, End.RELEASED);
    }

    private static Waited wait(long enqueued, long ended, End how) {
        return new Waited("k", 1, enqueued, enqueued, enqueued, 1, ended, how);
    }

    private static long found(Findings findings) {
        return findings.done().found();
    }

    @Test
    void aHoldMayBeginWhereTheOneBeforeEndsAndNotEarlier() {
        Findings good = new Findings(1, "holds");
        LogExclusionCheck.look(List.of(held(1, 5), held(5, 9)), good);
        assertThat(found(good)).isZero();
        Findings bad = new Findings(1, "holds");
        LogExclusionCheck.look(List.of(held(1, 8), held(3, 4), held(7, 9)), bad);
        assertThat(found(bad)).isEqualTo(2);
    }

    @Test
    void aTokenIsThePositionOfItsGrantAndRises() {
        Findings good = new Findings(3, "grants");
        TokenCheck.checkLog(List.of(held(1, 5), held(5, 9)), good);
        assertThat(found(good)).isZero();
        Findings bad = new Findings(3, "grants");
        TokenCheck.checkLog(
                List.of(held(5, 6), new Held("k", 4, 1, 1, 1, 7, 8, End.RELEASED)), bad);
        assertThat(found(bad)).isEqualTo(2);
    }

    @Test
    void whoWaitsLongerIsGrantedFirstUnlessItGaveUp() {
        Findings good = new Findings(13, "waits");
        QueueCheck.checkOrder(
                List.of(wait(1, 5, End.CANCELLED), wait(2, 6, End.GRANTED), wait(3, 6, End.NONE)),
                good);
        assertThat(found(good)).isZero();
        Findings bad = new Findings(13, "waits");
        QueueCheck.checkOrder(List.of(wait(1, 9, End.GRANTED), wait(2, 6, End.GRANTED)), bad);
        assertThat(found(bad)).isEqualTo(1);
    }

    @Test
    void aLockThatIsFreeHasNobodyWaiting() {
        List<Held> holds = List.of(held(1, 5), held(8, 9));
        Findings good = new Findings(13, "waits");
        QueueCheck.checkWakeUps(List.of(wait(2, 4, End.CANCELLED)), holds, good);
        QueueCheck.checkWakeUps(List.of(wait(6, 8, End.GRANTED)), holds, good);
        assertThat(found(good)).isZero();
        Findings bad = new Findings(13, "waits");
        QueueCheck.checkWakeUps(List.of(wait(2, 8, End.GRANTED)), holds, bad);
        assertThat(found(bad)).isEqualTo(1);
    }

    @Test
    void aStateThatIsNotThatOfACleanReplayIsRejected() {
        run.lock("A", "k", 1, 2);
        run.seenWell("n1", "LEADER", 5).seenWell("n2", "FOLLOWER", 6);
        assertThat(new ReplicaCheck().check(run.evidence())).isEmpty();
        assertThat(new ReplicaCheck().look(run.evidence()).lookedAt()).isEqualTo(6);
        run.seen("n3", "FOLLOWER", 1, run.log().index(), "bad", 7);
        assertThat(new ReplicaCheck().look(run.evidence()).found()).isEqualTo(2);
    }

    @Test
    void statesThatDifferAreRejectedAlsoWhereTheLogHasNone() {
        run.lock("A", "k", 1, 2);
        run.seen("n1", "LEADER", 1, 77, "one", 5).seen("n2", "FOLLOWER", 1, 77, "two", 6);
        assertThat(new ReplicaCheck().look(run.evidence()).found()).isEqualTo(1);
    }

    @Test
    void anAppliedIndexThatFallsIsRejectedWithinOneLifeOnly() {
        run.event(new Event.NodeStarted(1, "n1", 1, 1));
        run.seen("n1", "FOLLOWER", 1, 9, "", 5);
        run.event(new Event.NodeStarted(6 * RunFixture.MILLI, "n1", 2, 2));
        run.seen("n1", "FOLLOWER", 1, 7, "", 7);
        assertThat(new ReplicaCheck().check(run.evidence())).isEmpty();
        run.seen("n1", "FOLLOWER", 1, 6, "", 8);
        assertThat(new ReplicaCheck().check(run.evidence())).hasSize(1);
    }

    @Test
    void twoLeadersOfOneTermAreRejected() {
        run.seen("n1", "LEADER", 1, 0, "", 1).seen("n2", "LEADER", 2, 0, "", 2);
        assertThat(new TermCheck().check(run.evidence())).isEmpty();
        run.seen("n2", "LEADER", 1, 0, "", 1);
        assertThat(new TermCheck().look(run.evidence()).found()).isEqualTo(1);
    }

    @Test
    void aTermThatFallsIsRejectedUnlessTheDiskWasWiped() {
        run.seen("n1", "FOLLOWER", 5, 0, "", 1);
        run.event(new Event.NodeStarted(2 * RunFixture.MILLI, "n1", 2, 1));
        run.fault(0, "wipe", "n1", 3, 4, "gone");
        run.seen("n1", "FOLLOWER", 4, 0, "", 5);
        assertThat(new TermCheck().check(run.evidence())).hasSize(1);
        CheckSettings wiped = CheckSettings.DEFAULT.withKinds(Set.of("wipe"), Set.of());
        assertThat(new TermCheck().check(run.evidence(wiped))).isEmpty();
    }

    @Test
    void aNodeThatEndsUnaskedIsRejected() {
        run.event(new Event.NodeStarted(1, "n1", 1, 1));
        run.event(new Event.NodeEnded(2, "n1", 1, 137, true));
        assertThat(new InternalCheck().check(run.evidence())).isEmpty();
        run.event(new Event.NodeEnded(3, "n1", 2, 70, false));
        run.event(new Event.Noted(4, "internal", "n2", "a thread is stuck"));
        run.event(new Event.Noted(4, "unexpected", "c1", "NullPointerException"));
        assertThat(new InternalCheck().check(run.evidence())).hasSize(3);
    }
}
