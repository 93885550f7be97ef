package io.raftlock.server.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.EndReason;
import io.raftlock.protocol.LockName;

import org.junit.jupiter.api.Test;

/** Explicit leases are deadlines on the cluster clock, which is the highest stamp in the log. */
class HoldLeaseTest {
    private static final LockName K = new LockName("k");

    private final TestLog log = new TestLog();
    private final TestSession a = log.open();
    private final TestSession b = log.open();

    @Test
    void theClockNeverGoesBack() { // E28
        log.applyStamped(5_000, new Command.Stamp());
        log.applyStamped(3_000, new Command.Stamp());
        assertThat(log.machine().clockMillis()).isEqualTo(5_000);
        Command.Acquire lease = a.lease("k", 100);
        assertThat(log.applyStamped(1_000, lease))
                .containsExactly(new Outcome.Granted(log.token(lease), 5_100));
        log.restart();
        assertThat(log.machine().clockMillis()).isEqualTo(5_000);
        log.applyStamped(-1, new Command.Stamp());
        assertThat(log.machine().clockMillis()).isEqualTo(5_000);
    }

    @Test
    void aHoldEndsAtItsDeadlineAndNotBefore() { // H6
        Command.Acquire lease = a.lease("k", 1_000);
        Command.Acquire next = b.acquire("k");
        log.applyEntry(lease, next);
        Command expire = new Command.ExpireHold(K, log.token(lease));

        log.advanceMillis(999);
        assertThat(log.apply(expire)).isEqualTo(new Outcome.Overtaken());
        assertThat(log.holds(lease)).isTrue();

        long token = log.token(lease);
        log.advanceMillis(1);
        assertThat(log.apply(expire)).isEqualTo(new Outcome.Done());
        assertThat(log.isGone(lease)).isTrue();
        assertThat(log.holds(next)).isTrue();
        assertThat(log.notices())
                .containsExactly(
                        new Notice.WaiterGranted(b.id(), next.number(), log.token(next), 0),
                        new Notice.HoldEnded(
                                a.id(), lease.number(), token, EndReason.MAX_HOLD_REACHED));
    }

    @Test
    void aLateExpiryWithAStaleTokenDoesNotEndTheNextHold() { // H4, H8
        Command.Acquire lease = a.lease("k", 1_000);
        log.apply(lease);
        Command stale = new Command.ExpireHold(K, log.token(lease));
        log.apply(a.release("k", log.token(lease)));
        assertThat(log.apply(stale)).isEqualTo(new Outcome.Overtaken());
        Command.Acquire again = a.lease("k", 1_000);
        log.apply(again);
        log.advanceMillis(5_000);
        assertThat(log.apply(stale)).isEqualTo(new Outcome.Overtaken());
        assertThat(log.holds(again)).isTrue();
    }

    @Test
    void aHoldWithoutADeadlineDoesNotExpire() {
        Command.Acquire forEver = a.acquire("k");
        log.apply(forEver);
        assertThat(log.machine().hasDeadlines()).isFalse();
        log.advanceMillis(Long.MAX_VALUE / 2);
        assertThat(log.apply(new Command.ExpireHold(K, log.token(forEver))))
                .isEqualTo(new Outcome.Overtaken());
        assertThat(log.machine().overdueHolds(Long.MAX_VALUE, 10)).isEmpty();
    }

    @Test
    void aWaitersLeaseRunsFromItsGrant() { // H3
        Command.Acquire holder = a.acquire("k");
        Command.Acquire waiter = b.lease("k", 1_000);
        log.applyEntry(holder, waiter);
        log.advanceMillis(7_000);
        log.apply(a.release("k", log.token(holder)));
        assertThat(log.notices())
                .containsExactly(
                        new Notice.WaiterGranted(
                                b.id(), waiter.number(), log.token(waiter), 8_000));
        assertThat(log.apply(waiter)).isEqualTo(new Outcome.Granted(log.token(waiter), 8_000));
    }

    @Test
    void overdueHoldsComeInTheOrderOfTheirDeadlinesAndAreBounded() { // E36
        log.applyEntry(
                a.lease("late", 3_000),
                a.lease("k", 1_000),
                a.lease("b", 2_000),
                a.lease("a", 2_000));
        assertThat(log.machine().overdueHolds(999, 10)).isEmpty();
        assertThat(log.machine().overdueHolds(2_000, 10))
                .extracting(expire -> expire.name().value())
                .containsExactly("k", "b", "a");
        assertThat(log.machine().overdueHolds(9_000, 2)).hasSize(2);
        log.restart();
        assertThat(log.machine().hasDeadlines()).isTrue();
        assertThat(log.machine().overdueHolds(9_000, 10)).hasSize(4);
    }

    @Test
    void anExpiredHoldIsReleasedByNobody() { // H9
        Command.Acquire lease = a.lease("k", 1_000);
        log.apply(lease);
        long token = log.token(lease);
        log.advanceMillis(1_000);
        log.apply(new Command.ExpireHold(K, token));
        assertThat(log.apply(a.release("k", token))).isInstanceOf(Outcome.Refused.class);
        assertThat(log.machine().holdCount()).isZero();
    }

    @Test
    void theEndOfALeaseDoesNotCountAsASignOfLife() { // H4
        Command.Acquire lease = a.lease("k", 1_000);
        log.apply(lease);
        long before = log.machine().lastCommand(a.id()).orElseThrow();
        log.advanceMillis(1_000);
        log.apply(new Command.ExpireHold(K, log.token(lease)));
        assertThat(log.machine().lastCommand(a.id())).contains(before);
    }
}
