package io.raftlock.server.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.SessionId;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the log says of sessions that leaders have heard nothing of, and of the format it is in. */
class SilenceTest {
    private final TestLog log = new TestLog();
    private final TestSession a = log.open();
    private final TestSession b = log.open();

    @Test
    void aSilentSessionHasTheTimeThatIsLeftOnTheClusterClock() { // H6
        log.advanceMillis(7_000);
        assertThat(log.apply(silence(a, 4_000))).isEqualTo(new Outcome.Done());
        assertThat(deadlineOf(a)).isEqualTo(7_000 + TestLog.TTL_MILLIS - 4_000);
        assertThat(deadlineOf(b)).isZero();
    }

    @Test
    void theTimeThatIsLeftIsNotCountedAnew() { // H6
        log.apply(silence(a, 4_000));
        long deadline = deadlineOf(a);
        log.advanceMillis(3_000);
        assertThat(log.apply(silence(a, 0))).isEqualTo(new Outcome.Overtaken());
        log.restart();
        assertThat(deadlineOf(a)).isEqualTo(deadline);
    }

    @Test
    void anyWordOfTheSessionTakesItsSilenceBack() { // H6
        log.apply(silence(a, 4_000));
        log.apply(a.acquire("k"));
        assertThat(deadlineOf(a)).isZero();

        log.apply(silence(a, 4_000));
        assertThat(log.apply(new Command.NoteAlive(a.id()))).isEqualTo(new Outcome.Done());
        assertThat(deadlineOf(a)).isZero();

        log.apply(silence(a, 4_000));
        log.apply(TestLog.opening(a.secret(), TestLog.TTL_MILLIS));
        assertThat(deadlineOf(a)).isZero();
    }

    @Test
    void aWordThatWasCommittedMeanwhileOvertakesTheNoteOfSilence() { // H4
        Command late = silence(a, 4_000);
        log.apply(a.acquire("k"));
        assertThat(log.apply(late)).isEqualTo(new Outcome.Overtaken());
        assertThat(deadlineOf(a)).isZero();
    }

    @Test
    void aSignOfLifeOvertakesAnExpiryThatWasDecidedBefore() { // H4
        Command expire = new Command.ExpireSession(a.id(), lastCommand(a));
        log.apply(silence(a, 4_000));
        log.apply(new Command.NoteAlive(a.id()));
        assertThat(log.apply(expire)).isEqualTo(new Outcome.Overtaken());
    }

    @Test
    void aNoteOfSilenceIsNoSignOfLife() { // H6
        Command expire = new Command.ExpireSession(a.id(), lastCommand(a));
        log.apply(silence(a, 4_000));
        assertThat(log.apply(expire)).isEqualTo(new Outcome.Done());
    }

    @Test
    void notesOfSessionsThatAreGoneChangeNothing() { // E18
        Command silence = silence(a, 4_000);
        log.apply(a.close());
        assertThat(log.apply(silence)).isEqualTo(new Outcome.Overtaken());
        assertThat(log.apply(new Command.NoteAlive(a.id()))).isEqualTo(new Outcome.Overtaken());
        assertThat(log.apply(new Command.NoteAlive(new SessionId(99))))
                .isEqualTo(new Outcome.Overtaken());
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, TestLog.TTL_MILLIS + 1, Long.MIN_VALUE, Long.MAX_VALUE})
    void aSilenceThatCannotBeIsRefused(long silentMillis) { // E18, E31
        assertThat(log.apply(silence(a, silentMillis)))
                .isEqualTo(new Outcome.Refused(ErrorCode.MALFORMED));
        assertThat(deadlineOf(a)).isZero();
    }

    @Test
    void theClockGoesOnInTheLogForAsLongAsASessionIsSilent() { // H6
        assertThat(log.machine().hasDeadlines()).isFalse();
        log.apply(silence(a, 4_000));
        log.apply(silence(b, 4_000));
        assertThat(log.machine().hasDeadlines()).isTrue();
        log.apply(new Command.NoteAlive(a.id()));
        log.restart();
        assertThat(log.machine().hasDeadlines()).isTrue();
        log.apply(b.close());
        assertThat(log.machine().hasDeadlines()).isFalse();
    }

    @Test
    void theFormatIsRaisedAndNeverLowered() { // E66
        assertThat(log.machine().format()).isEqualTo(Snapshot.FIRST_FORMAT);
        assertThat(log.apply(new Command.RaiseFormat(2))).isEqualTo(new Outcome.Done());
        assertThat(log.apply(new Command.RaiseFormat(2))).isEqualTo(new Outcome.Overtaken());
        assertThat(log.apply(new Command.RaiseFormat(1))).isEqualTo(new Outcome.Overtaken());
        log.restart();
        assertThat(log.machine().format()).isEqualTo(2);
    }

    private Command silence(TestSession session, long silentMillis) {
        return new Command.NoteSilence(session.id(), lastCommand(session), silentMillis);
    }

    private long lastCommand(TestSession session) {
        return log.machine().lastCommand(session.id()).orElseThrow();
    }

    private long deadlineOf(TestSession session) {
        return log.snapshot().sessions().stream()
                .filter(each -> each.id().equals(session.id()))
                .findFirst()
                .orElseThrow()
                .deadlineMillis();
    }
}
