package io.raftlock.chaos.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.ledger.JournalSource.Recorded;
import io.raftlock.chaos.ledger.LogFixture.MemoryJournal;
import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.LockName;
import io.raftlock.protocol.SessionId;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.Outcome;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

class LedgerTest {
    private final LogFixture log = new LogFixture();

    @Test
    void aHoldLastsFromItsGrantToItsRelease() {
        SessionId session = log.open("A");
        log.acquire(session, "k", 7, false);
        long token = log.position();
        log.release(session, "k", log.lastNumber(), token);

        Ledger ledger = ledger();
        Held held = ledger.hold("k", token);
        assertThat(ledger.holdsOf(7)).containsExactly(held);
        assertThat(held)
                .isEqualTo(
                        new Held(
                                "k",
                                token,
                                session.value(),
                                2,
                                7,
                                token,
                                log.position(),
                                End.RELEASED));
        assertThat(ledger.sessions().get(session.value()).client()).isEqualTo("A");
        assertThat(ledger.releasesOf("k", token)).hasSize(1);
    }

    @Test
    void aWaiterGetsTheLockWhereTheHolderLeavesIt() {
        SessionId a = log.open("A");
        SessionId b = log.open("B");
        log.acquire(a, "k", 1, false);
        long first = log.position();
        long owner = log.lastNumber();
        log.acquire(b, "k", 2, true);
        long enqueued = log.position();
        log.release(a, "k", owner, first);

        Ledger ledger = ledger();
        assertThat(ledger.holdsOf(2).get(0).granted()).isEqualTo(log.position());
        assertThat(ledger.waits().get("k"))
                .singleElement()
                .satisfies(
                        wait -> {
                            assertThat(wait.enqueued()).isEqualTo(enqueued);
                            assertThat(wait.place()).isEqualTo(1);
                            assertThat(wait.ended()).isEqualTo(log.position());
                            assertThat(wait.how()).isEqualTo(End.GRANTED);
                        });
    }

    @Test
    void aSessionThatEndsPassesAllItsLocksOnAtOnce() {
        SessionId a = log.open("A");
        SessionId b = log.open("B");
        log.acquire(a, "k", 1, false);
        log.acquire(a, "m", 2, false);
        log.acquire(b, "m", 3, true);
        log.acquire(a, "n", 4, false);
        log.acquire(b, "k", 5, true);
        log.expire(a);

        Ledger ledger = ledger();
        assertThat(ledger.holdsOf(1).get(0).how()).isEqualTo(End.SESSION_EXPIRED);
        assertThat(ledger.holdsOf(4).get(0).ended()).isEqualTo(log.position());
        assertThat(ledger.holdsOf(3).get(0).token()).isEqualTo(log.position());
        assertThat(ledger.holdsOf(5).get(0).token()).isEqualTo(log.position());
        assertThat(ledger.sessions().get(a.value()).how()).isEqualTo(End.SESSION_EXPIRED);
        assertThat(ledger.oddities()).isEmpty();
    }

    @Test
    void anExpiryThatWasOvertakenEndsNothing() {
        SessionId a = log.open("A");
        long before = log.position();
        log.acquire(a, "k", 1, false);
        log.append(new Command.ExpireSession(a, before));
        assertThat(ledger().holdsOf(1).get(0).how()).isEqualTo(End.NONE);
    }

    @Test
    void aCancelEndsAWaitOrAHold() {
        SessionId a = log.open("A");
        log.acquire(a, "k", 1, false);
        long holder = log.lastNumber();
        log.acquire(a, "k", 2, true);
        log.cancel(a, log.lastNumber());
        log.cancel(a, holder);

        Ledger ledger = ledger();
        assertThat(ledger.waits().get("k").get(0).how()).isEqualTo(End.CANCELLED);
        assertThat(ledger.holdsOf(1).get(0).how()).isEqualTo(End.CANCELLED);
        assertThat(ledger.holdsOf(2)).isEmpty();
    }

    @Test
    void aHoldThatReachesItsLongestTimeEndsThere() {
        SessionId a = log.open("A");
        log.append(new Command.Acquire(a, 1, 0, new LockName("k"), 1, false, 50, "1"));
        long token = log.position();
        log.stamp(60);
        log.append(new Command.ExpireHold(new LockName("k"), token));
        assertThat(ledger().holdsOf(1).get(0).how()).isEqualTo(End.MAX_HOLD);
        assertThat(ledger().clockMillis(log.position())).isEqualTo(60);
        assertThat(ledger().clockMillis(token)).isZero();
    }

    @Test
    void aRequestThatComesAgainIsOneRequestWithOneHold() {
        SessionId a = log.open("A");
        Command.Acquire acquire = LogFixture.acquireCommand(a, 1, "k", 1, false);
        log.append(acquire);
        long token = log.position();
        log.append(List.of(acquire, acquire));

        Ledger ledger = ledger();
        assertThat(ledger.holdsOf(1)).hasSize(1);
        assertThat(ledger.acquiresOf(1)).hasSize(1);
        assertThat(ledger.acquiresOf(1).get(0).applications())
                .hasSize(3)
                .allMatch(each -> each.outcome().equals(new Outcome.Granted(token, 0)));
    }

    @Test
    void aReleaseThatComesAgainDoesNotEndTheNextHold() {
        SessionId a = log.open("A");
        log.acquire(a, "k", 1, false);
        long token = log.position();
        Command.Release release =
                new Command.Release(a, 9, 0, new LockName("k"), log.lastNumber(), token);
        log.append(release);
        log.append(LogFixture.acquireCommand(a, 10, "k", 2, false));
        log.append(release);
        assertThat(ledger().holdsOf(2).get(0).how()).isEqualTo(End.NONE);
        assertThat(ledger().releasesOf("k", token)).hasSize(1);
    }

    @Test
    void whatARefusalWasForCanBeSeen() {
        SessionId a = log.open("A");
        log.acquire(a, "k", 1, false);
        log.acquire(a, "k", 2, false);
        assertThat(ledger().acquiresOf(2).get(0).first())
                .isEqualTo(
                        new NumberedCommand.Application(
                                log.position(), new Outcome.Refused(ErrorCode.NOT_AVAILABLE)));
    }

    @Test
    void livesAndSnapshotsLeaveNoGapThatAnotherJournalFills() {
        SessionId a = log.open("A");
        log.acquire(a, "k", 1, false);
        log.newTerm();
        log.acquire(a, "m", 2, false);
        log.acquire(a, "n", 3, false);

        Ledger ledger =
                Ledger.of(
                        List.of(
                                log.journal("n1-1", 1, 2),
                                log.journal("n1-2", 2, 4),
                                log.journal("n2-1", 1, 1),
                                log.journal("n2-2", 5, 5),
                                new MemoryJournal("n3-1", List.of())),
                        Set.of(0L, 2L, 3L, log.index()));
        assertThat(ledger.entries()).isEqualTo(4);
        assertThat(ledger.records()).isEqualTo(6);
        assertThat(ledger.lastIndex()).isEqualTo(5);
        assertThat(ledger.disagreements()).isEmpty();
        assertThat(ledger.disorder()).isEmpty();
        assertThat(ledger.digestAt(5)).contains(log.digest());
        assertThat(ledger.digestAt(0)).contains(new LogFixture().digest());
        assertThat(ledger.digestAt(3)).isEmpty();
        assertThat(ledger.holdsOf(3)).hasSize(1);
    }

    @Test
    void otherBytesAtOneIndexAreFoundAndTheMajorityIsBelieved() {
        SessionId a = log.open("A");
        log.acquire(a, "k", 1, false);
        LogFixture other = new LogFixture();
        other.open("A");
        other.acquire(a, "k", 99, false);

        Ledger ledger =
                Ledger.of(
                        List.of(other.journal("n1-1"), log.journal("n2-1"), log.journal("n3-1")),
                        Set.of());
        assertThat(ledger.disagreements())
                .singleElement()
                .satisfies(
                        one -> {
                            assertThat(one.index()).isEqualTo(2);
                            assertThat(one.journal()).isEqualTo("n1-1");
                            assertThat(one.toString()).contains("n2-1").contains("other bytes");
                        });
        assertThat(ledger.holdsOf(1)).hasSize(1);
        assertThat(ledger.holdsOf(99)).isEmpty();
    }

    @Test
    void anotherTermAtOneIndexIsFound() {
        log.open("A");
        Recorded one = log.records().get(0);
        MemoryJournal other = new MemoryJournal("n2-1", List.of(new Recorded(1, 2, one.entry())));
        Ledger ledger = Ledger.of(List.of(log.journal("n1-1"), other), Set.of());
        assertThat(ledger.disagreements()).singleElement().asString().contains("terms 2 and 1");
    }

    @Test
    void aJournalThatStepsBackIsFoundAndReadOn() {
        SessionId a = log.open("A");
        log.acquire(a, "k", 1, false);
        log.acquire(a, "m", 2, false);
        List<Recorded> twice = new ArrayList<>(log.records());
        twice.add(2, log.records().get(1));
        Ledger ledger = Ledger.of(List.of(new MemoryJournal("n1-1", twice)), Set.of());
        assertThat(ledger.disorder()).singleElement().asString().contains("from index 2 to 2");
        assertThat(ledger.holdsOf(2)).hasSize(1);
    }

    @Test
    void aTermThatFallsIsFound() {
        log.newTerm();
        log.open("A");
        Recorded late = log.records().get(0);
        Ledger ledger =
                Ledger.of(
                        List.of(
                                log.journal("n1-1"),
                                new MemoryJournal(
                                        "n1-2", List.of(new Recorded(9, 1, late.entry())))),
                        Set.of());
        assertThat(ledger.disorder()).singleElement().asString().contains("falls from 2 to 1");
    }

    @Test
    void anEntryOfAFormatThatIsNotKnownEndsTheReplayWithAWord() {
        log.open("A");
        List<Recorded> records = new ArrayList<>(log.records());
        records.add(new Recorded(2, 1, new byte[] {99, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
        Ledger ledger = Ledger.of(List.of(new MemoryJournal("n1-1", records)), Set.of());
        assertThat(ledger.unreadable()).singleElement().asString().contains("entry 2");
        assertThat(ledger.lastIndex()).isEqualTo(1);
    }

    private Ledger ledger() {
        return Ledger.of(Collections.nCopies(2, log.journal("n")), Set.of());
    }
}
