package io.raftlock.server.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.EndReason;
import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.ProtocolLimits;
import io.raftlock.protocol.SessionId;
import io.raftlock.protocol.SessionSecret;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/** Sessions begin once, end once, and take with them whatever they hold and await. */
class SessionTest {
    private final TestLog log = new TestLog();
    private final TestSession a = log.open();
    private final TestSession b = log.open();
    private final TestSession c = log.open();

    @Test
    void anOpenThatComesTwiceOpensOneSession() { // H1
        Command.OpenSession open = TestLog.opening(new SessionSecret(1, 2), 5_000);
        Outcome first = log.apply(open);
        SessionId id = ((Outcome.SessionOpened) first).session();
        assertThat(log.notices()).containsExactly(new Notice.SessionStarted(id, 5_000));
        assertThat(id.value()).isEqualTo(LogPosition.of(log.machine().appliedIndex(), 0).value());

        assertThat(log.apply(open)).isEqualTo(first);
        assertThat(log.notices()).isEmpty();
        assertThat(log.machine().sessionCount()).isEqualTo(4);
        // The first TTL stands, whatever the copy says; and the copy is a sign of life.
        assertThat(log.apply(TestLog.opening(open.secret(), 9_000))).isEqualTo(first);
        assertThat(log.machine().ttlMillis(id)).contains(5_000L);
        assertThat(log.machine().lastCommand(id).orElseThrow()).isGreaterThan(id.value());
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 499, 24L * 60 * 60 * 1000 + 1, Long.MAX_VALUE})
    void aTtlOutOfBoundsIsRefused(long ttlMillis) { // E31
        assertThat(log.apply(TestLog.opening(new SessionSecret(1, 2), ttlMillis)))
                .isEqualTo(new Outcome.Refused(ErrorCode.INVALID_TTL));
        assertThat(log.machine().sessionCount()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(
            longs = {ProtocolLimits.MIN_SESSION_TTL_MILLIS, ProtocolLimits.MAX_SESSION_TTL_MILLIS})
    void theBoundsOfTheTtlAreInside(long ttlMillis) { // E31
        assertThat(log.apply(TestLog.opening(new SessionSecret(1, 2), ttlMillis)))
                .isInstanceOf(Outcome.SessionOpened.class);
    }

    @Test
    void aSessionOpensAnewUnderAnotherIdAfterItsEnd() { // H11
        log.apply(a.close());
        Outcome.SessionOpened again =
                (Outcome.SessionOpened) log.apply(TestLog.opening(a.secret(), 5_000));
        assertThat(again.session()).isNotEqualTo(a.id());
        assertThat(log.apply(a.acquire("k")))
                .isEqualTo(new Outcome.Refused(ErrorCode.SESSION_EXPIRED));
    }

    @Test
    void closingNeedsTheSecret() {
        log.apply(a.acquire("k"));
        assertThat(log.apply(new Command.CloseSession(a.id(), b.secret())))
                .isEqualTo(new Outcome.Refused(ErrorCode.DENIED));
        assertThat(log.machine().holdCount()).isEqualTo(1);
        assertThat(log.apply(a.close())).isEqualTo(new Outcome.SessionClosed());
        assertThat(log.apply(a.close())).isEqualTo(new Outcome.SessionClosed());
        assertThat(log.machine().sessionCount()).isEqualTo(2);
    }

    @Test
    void whetherASecretIsWrongIsKnownForOpenSessionsOnly() {
        assertThat(log.machine().isSecretWrong(a.id(), a.secret())).isFalse();
        assertThat(log.machine().isSecretWrong(a.id(), b.secret())).isTrue();
        log.apply(a.close());
        assertThat(log.machine().isSecretWrong(a.id(), b.secret())).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theEndFreesAllHoldsAndWaitsInOneEntry(boolean close) { // E22
        Command.Acquire holds1 = a.acquire("k1");
        Command.Acquire holds2 = a.lease("k2", 60_000);
        Command.Acquire alone = a.acquire("k3");
        Command.Acquire blocks = c.acquire("k4");
        Command.Acquire next1 = b.acquire("k1");
        Command.Acquire next2 = c.acquire("k2");
        log.applyEntry(holds1, holds2, alone, blocks);
        log.applyEntry(a.acquire("k4", 1), a.acquire("k4", 2)); // two threads of it wait
        log.applyEntry(a.acquire("k1", 2), next1, a.acquire("k2", 3), next2);
        Command.Acquire last = b.acquire("k4");
        log.apply(last);

        log.apply(close ? a.close() : expiry(a));

        assertThat(log.holds(next1)).isTrue();
        assertThat(log.holds(next2)).isTrue();
        assertThat(log.holds(blocks)).isTrue();
        assertThat(log.waits(last)).isTrue();
        assertThat(log.machine().holdCount()).isEqualTo(3);
        assertThat(log.machine().waiterCount()).isEqualTo(1);
        assertThat(log.machine().hasDeadlines()).isFalse();
        assertThat(log.notices())
                .containsExactly(
                        granted(next1),
                        granted(next2),
                        new Notice.SessionEnded(
                                a.id(),
                                close ? EndReason.SESSION_CLOSED : EndReason.SESSION_EXPIRED));
        assertThat(log.snapshot().locks())
                .noneMatch(
                        lock ->
                                lock.hold().claim().session().equals(a.id())
                                        || lock.waiters().stream()
                                                .anyMatch(each -> each.session().equals(a.id())));
    }

    private Notice granted(Command.Acquire acquire) {
        return new Notice.WaiterGranted(acquire.session(), acquire.number(), log.token(acquire), 0);
    }

    @Test
    void aSessionThatEndsNeverPassesALockToItself() { // E22
        log.apply(a.acquire("k", 1));
        log.applyEntry(a.acquire("k", 2), a.acquire("k", 3));
        log.apply(a.close());
        assertThat(log.machine().holdCount()).isZero();
        assertThat(log.notices())
                .containsExactly(new Notice.SessionEnded(a.id(), EndReason.SESSION_CLOSED));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWaiterWhoseSessionEndedIsNotGranted(boolean endsFirst) { // H3
        Command.Acquire holder = a.acquire("k");
        Command.Acquire dead = b.acquire("k");
        Command.Acquire next = c.acquire("k");
        log.applyEntry(holder, dead, next);
        Command end = expiry(b);
        Command release = a.release("k", log.token(holder));
        log.applyEntry(endsFirst ? end : release, endsFirst ? release : end);
        assertThat(log.isGone(dead)).isTrue();
        assertThat(log.holds(next)).isTrue();
        assertThat(log.token(next))
                .isEqualTo(LogPosition.of(log.machine().appliedIndex(), 1).value());
    }

    @Test
    void aDeadWaiterAtTheHeadDoesNotBlockAndTheLiveKeepTheirPlaces() { // E39
        TestSession d = log.open();
        Command.Acquire holder = a.acquire("k");
        Command.Acquire live1 = c.acquire("k");
        Command.Acquire live2 = d.acquire("k");
        log.applyEntry(holder, b.acquire("k"), live1, live2);
        log.apply(a.release("k", log.token(holder)));
        log.apply(expiry(b));
        assertThat(log.holds(live1)).isTrue();
        assertThat(log.waits(live2)).isTrue();
    }

    @Test
    void anExpiryIsOvertakenByAnyCommandOfTheSession() { // H4
        Command.Acquire acquire = a.acquire("k");
        for (Command sign :
                List.of(
                        acquire,
                        acquire,
                        a.release("j", 1),
                        a.cancel(77),
                        TestLog.opening(a.secret(), TestLog.TTL_MILLIS))) {
            Command expiry = expiry(a);
            log.apply(sign);
            assertThat(log.apply(expiry)).isEqualTo(new Outcome.Overtaken());
        }
        assertThat(log.holds(acquire)).isTrue();
        assertThat(log.apply(expiry(a))).isEqualTo(new Outcome.Done());
        assertThat(log.machine().holdCount()).isZero();
    }

    @Test
    void anExpiryThatComesTwiceEndsOneSession() { // H4
        Command expiry = expiry(a);
        assertThat(log.applyEntry(expiry, expiry))
                .containsExactly(new Outcome.Done(), new Outcome.Overtaken());
        assertThat(log.notices()).hasSize(1);
    }

    @Test
    void theAnswersOfASessionGoWithIt() { // E19
        log.applyEntry(a.acquire("k"), a.acquire("j"), a.cancel(99));
        log.applyEntry(a.close(), b.close(), c.close());
        assertThat(log.snapshot().sessions()).isEmpty();
        assertThat(log.snapshot().locks()).isEmpty();
        assertThat(log.machine().claimState(a.id(), 1)).isEqualTo(new ClaimState.Gone());
        assertThat(log.machine().lastCommand(a.id())).isEmpty();
        assertThat(log.machine().ttlMillis(a.id())).isEmpty();
    }

    private Command expiry(TestSession session) {
        return new Command.ExpireSession(
                session.id(), log.machine().lastCommand(session.id()).orElseThrow());
    }
}
