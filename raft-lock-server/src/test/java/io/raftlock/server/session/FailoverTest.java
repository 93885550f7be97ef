package io.raftlock.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.SessionId;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.Outcome;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** Sessions and leases over many leaders, minutes of them, under a virtual clock. */
class FailoverTest {
    private static final long TTL_MILLIS = 10_000;

    /** By how much one failover may prolong something: the idle stamp, the grace, some ticks. */
    private static final long BOUND_MILLIS = 4_500;

    private final VirtualLeaders leaders = new VirtualLeaders();

    @Test
    void aLeaseEndsThoughLeadersChangeAllTheTime() { // H6
        SessionId kept = leaders.open(TTL_MILLIS);
        leaders.lock(kept, 1, "k", 600_000);
        long leftBefore = 600_000;
        long led = 0;
        int changes = 0;
        while (leaders.machine.holdCount() == 1 && led < 700_000) {
            leaders.advance(100_000, () -> leaders.keepAlive(kept, new ArrayList<>()));
            led += 100_000;
            leaders.nobodyLeads(5_000);
            if (changes++ == 2) {
                leaders.restartAll();
            } else {
                leaders.nextLeader();
            }
            long left = leftMillis();
            assertThat(left).isLessThanOrEqualTo(Math.max(0, leftBefore - 100_000) + BOUND_MILLIS);
            leftBefore = left;
        }
        assertThat(leaders.machine.holdCount()).isZero();
        assertThat(led).isLessThanOrEqualTo(600_000 + changes * BOUND_MILLIS + 100_000);
        assertThat(leaders.isOpen(kept)).isTrue();
    }

    private long leftMillis() {
        return leaders.machine.snapshot().locks().stream()
                .mapToLong(lock -> lock.hold().deadlineMillis() - leaders.clockMillis())
                .findFirst()
                .orElse(0);
    }

    @Test
    void aDeadSessionEndsThoughLeadersChangeEveryHalfOfItsTtl() { // H6
        leaders.advance(100);
        SessionId dead = leaders.open(TTL_MILLIS);
        leaders.lock(dead, 1, "k", 0);
        int changes = 0;
        while (leaders.isOpen(dead) && changes < 10) {
            leaders.advance(TTL_MILLIS / 2);
            leaders.nobodyLeads(2_000);
            leaders.nextLeader();
            changes++;
        }
        assertThat(changes).isLessThanOrEqualTo(4);
        assertThat(leaders.machine.holdCount()).isZero();
    }

    @Test
    void whatASilentSessionHasLeftNeverRisesByMoreThanTheBound() { // H6
        leaders.advance(100);
        SessionId dead = leaders.open(30_000);
        leaders.advance(11_000); // It is silent for over a third of its time.
        long livedMillis = 11_000;
        for (int change = 0; change < 30 && leaders.isOpen(dead); change++) {
            leaders.nobodyLeads(1_000);
            leaders.nextLeader();
            leaders.advance(5_000);
            livedMillis += 5_000;
        }
        assertThat(leaders.isOpen(dead)).isFalse();
        assertThat(livedMillis).isLessThan(30_000 + 5 * BOUND_MILLIS);
    }

    @Test
    void liveSessionsOutliveAnyNumberOfLeaders() { // H5
        leaders.advance(100);
        List<SessionId> live = new ArrayList<>();
        for (int at = 0; at < 1_000; at++) {
            live.add(leaders.open(TTL_MILLIS));
            leaders.lock(live.get(at), 1, "lock-" + at, 0);
        }
        for (int change = 0; change < 10; change++) {
            int[] ticks = {change};
            leaders.advance(
                    4_000,
                    () -> { // each every third of its time
                        for (int at = ticks[0]++ % 60; at < live.size(); at += 60) {
                            leaders.keepAlive(live.get(at), new ArrayList<>());
                        }
                    });
            leaders.nobodyLeads(8_000);
            leaders.nextLeader();
        }
        assertThat(leaders.ended).isEmpty();
        assertThat(leaders.machine.holdCount()).isEqualTo(1_000);
    }

    @Test
    void everySessionHasItsWholeTimeWithANewLeader() { // H5
        leaders.advance(100);
        SessionId session = leaders.open(TTL_MILLIS);
        leaders.advance(TTL_MILLIS / 4);
        leaders.nobodyLeads(60_000);
        leaders.nextLeader();
        leaders.advance(TTL_MILLIS - 100);
        assertThat(leaders.isOpen(session)).isTrue();
        leaders.advance(200);
        assertThat(leaders.isOpen(session)).isFalse();
    }

    @Test
    void aSessionThatWasSilentHasItsWholeTimeAgainOnceItIsConfirmed() { // H6
        leaders.advance(100);
        SessionId session = leaders.open(TTL_MILLIS);
        leaders.advance(TTL_MILLIS / 2);
        List<String> answers = new ArrayList<>();
        leaders.keepAlive(session, answers);
        leaders.advance(100);
        assertThat(answers).containsExactly("alive");
        leaders.nextLeader();
        leaders.advance(TTL_MILLIS - 100);
        assertThat(leaders.isOpen(session)).isTrue();
    }

    @Test
    void aSilentSessionIsNotConfirmedBeforeTheLogTakesItsSilenceBack() { // H6
        leaders.advance(100);
        SessionId session = leaders.open(TTL_MILLIS);
        leaders.advance(TTL_MILLIS / 2);
        List<String> answers = new ArrayList<>();
        leaders.keepAlive(session, answers);
        leaders.keepAlive(session, answers);
        leaders.loseMajority();
        leaders.advance(1_000);
        assertThat(answers).doesNotContain("alive");
        // The next leader knows nothing of that keep-alive, and nobody relies on it.
        leaders.nextLeader();
        leaders.advance(TTL_MILLIS / 2 + BOUND_MILLIS);
        assertThat(leaders.isOpen(session)).isFalse();
    }

    @Test
    void aSilentSessionOfTheLeaderBeforeHasAGraceToComeBack() { // H5
        leaders.advance(100);
        SessionId session = leaders.open(TTL_MILLIS);
        leaders.advance(TTL_MILLIS - 200);
        leaders.nobodyLeads(2_000);
        leaders.nextLeader();
        leaders.advance(2_000);
        assertThat(leaders.isOpen(session)).isTrue();
        List<String> answers = new ArrayList<>();
        leaders.keepAlive(session, answers);
        leaders.advance(100);
        assertThat(answers).containsExactly("alive");
        leaders.advance(TTL_MILLIS - 500);
        assertThat(leaders.isOpen(session)).isTrue();
    }

    @Test
    void aLeaderWithoutAMajorityEndsNobodyEvenLater() { // E23
        leaders.advance(100);
        SessionId live = leaders.open(TTL_MILLIS);
        SessionId dead = leaders.open(TTL_MILLIS);
        leaders.loseMajority();
        leaders.advance(5 * TTL_MILLIS, () -> leaders.keepAlive(live, new ArrayList<>()));
        assertThat(leaders.ended).isEmpty();
        leaders.findMajority();
        leaders.advance(1_000, () -> leaders.keepAlive(live, new ArrayList<>()));
        assertThat(leaders.ended).containsExactly(dead);
    }

    @Test
    void withoutALeaderNoTimePassesForSessionsAndLeases() { // E23
        leaders.advance(100);
        SessionId session = leaders.open(TTL_MILLIS);
        leaders.lock(session, 1, "k", 20_000);
        long clock = leaders.clockMillis();
        leaders.nobodyLeads(10 * TTL_MILLIS);
        leaders.nextLeader();
        assertThat(leaders.clockMillis()).isLessThanOrEqualTo(clock);
        leaders.advance(TTL_MILLIS - 100);
        assertThat(leaders.ended).isEmpty();
        assertThat(leaders.machine.holdCount()).isEqualTo(1);
    }

    @Test
    void aPausedLeaderEndsNobodyWhoseKeepAliveWaitedMeanwhile() { // H4, E15
        leaders.advance(100);
        SessionId live = leaders.open(TTL_MILLIS);
        leaders.advance(5_000, () -> leaders.keepAlive(live, new ArrayList<>()));
        leaders.pause(3 * TTL_MILLIS);
        leaders.advance(50);
        leaders.advance(2_000, () -> leaders.keepAlive(live, new ArrayList<>()));
        assertThat(leaders.ended).isEmpty();
    }

    @Test
    void nothingOfALaterFormatIsProposedWhileAMemberCannotReadIt() { // E66
        VirtualLeaders mixed = new VirtualLeaders();
        mixed.formatOfAll = 1;
        mixed.open(TTL_MILLIS);
        mixed.advance(TTL_MILLIS / 2);
        mixed.nextLeader();
        mixed.advance(TTL_MILLIS + 100);
        assertThat(mixed.proposed).isNotEmpty().allMatch(command -> command.kind().format() == 1);
        mixed.proposed.clear();
        mixed.formatOfAll = 2;
        mixed.open(TTL_MILLIS);
        mixed.advance(TTL_MILLIS / 2);
        assertThat(mixed.proposed).startsWith(new Command.RaiseFormat(2));
        assertThat(mixed.proposed).anyMatch(Command.NoteSilence.class::isInstance);
        mixed.nextLeader();
        mixed.formatOfAll = 1; // A member went back: what was raised stays raised.
        mixed.advance(100);
        assertThat(mixed.machine.format()).isEqualTo(2);
    }

    @Test
    void theOutcomeOfALeaseIsTheSameForAllLeaders() { // E28
        leaders.advance(12_345);
        SessionId session = leaders.open(TTL_MILLIS);
        Outcome.Granted granted = (Outcome.Granted) leaders.lock(session, 1, "k", 30_000);
        leaders.nobodyLeads(3_600_000); // Whatever the clocks on walls say by then.
        leaders.nextLeader();
        assertThat(granted.deadlineMillis() - leaders.clockMillis()).isBetween(30_000L, 31_000L);
    }
}
