package io.raftlock.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.ClientMetadata;
import io.raftlock.protocol.SessionId;
import io.raftlock.protocol.SessionSecret;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.LockStateMachine;
import io.raftlock.server.lock.SessionRecord;
import io.raftlock.server.lock.Snapshot;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/** What the simulation does not reach: many sessions at once, and calls out of turn. */
class SessionTickerTest {
    private static final long TTL_MILLIS = 1_000;

    private final Port port = new Port();
    private final LeaderTime time = new LeaderTime(0);
    private final SessionTicker ticker =
            new SessionTicker(port, new ClusterClock(), time, Runnable::run, 0);
    private long nowNanos;

    @Test
    void massExpiryGoesOutInBoundedBatches() { // E36
        List<SessionRecord> sessions = new ArrayList<>();
        for (long id = 1; id <= 1_200; id++) {
            sessions.add(session(id));
        }
        lead(1, sessions);
        tickFor(TTL_MILLIS + 500);
        assertThat(port.proposed).hasSize(LeaderTerm.MAX_EXPIRING);
        List<Consumer<ProposalResult>> underWay = List.copyOf(port.results);
        underWay.forEach(result -> result.accept(ProposalResult.NOT_APPENDED));
        tickFor(2_500);
        assertThat(port.proposed).hasSize(2 * LeaderTerm.MAX_EXPIRING);
    }

    @Test
    void aRefusedExpiryIsTriedAgain() { // E30
        lead(1, List.of(session(7)));
        for (int attempt = 1; attempt <= 4; attempt++) {
            tickFor(TTL_MILLIS + 1_000);
            assertThat(port.proposed).hasSizeGreaterThanOrEqualTo(attempt);
            List.copyOf(port.results).forEach(each -> each.accept(ProposalResult.NOT_APPENDED));
            port.results.clear();
        }
    }

    @Test
    void whoDoesNotLeadEndsNobodyAndConfirmsNothing() { // H4
        List<String> answers = new ArrayList<>();
        ticker.sessionStarted(new SessionId(1), TTL_MILLIS, nowNanos);
        ticker.sessionEnded(new SessionId(1));
        ticker.keepAlive(new SessionId(1), new Heard(answers));
        ticker.follow();
        tickFor(10 * TTL_MILLIS);
        assertThat(answers).containsExactly("unconfirmed");
        assertThat(port.proposed).isEmpty();
    }

    @Test
    void aNewTermGivesEverySessionItsWholeTtlAgain() { // H5
        lead(1, List.of(session(7)));
        tickFor(TTL_MILLIS - 100);
        lead(2, List.of(session(7)));
        tickFor(TTL_MILLIS - 100);
        assertThat(port.proposed).isEmpty();
        tickFor(200);
        assertThat(port.proposed).containsExactly(new Command.ExpireSession(new SessionId(7), 7));
    }

    @Test
    void aKeepAliveThatComesAfterTheDecisionWaitsForTheLog() { // H4
        List<String> answers = new ArrayList<>();
        lead(1, List.of(session(7), session(8)));
        tickFor(TTL_MILLIS + 100);
        assertThat(port.proposed).hasSize(2);
        ticker.keepAlive(new SessionId(7), new Heard(answers));
        ticker.keepAlive(new SessionId(8), new Heard(answers));
        tickFor(100);
        assertThat(answers).isEmpty();
        ticker.sessionEnded(new SessionId(7));
        assertThat(answers).containsExactly("expired");
        ticker.follow();
        assertThat(answers).containsExactly("expired", "unconfirmed");
    }

    @Test
    void whatIsReadAfterAPauseIsNotDatedToItsEnd() { // H4
        lead(1, List.of(session(7)));
        tickFor(500);
        nowNanos += TimeUnit.MINUTES.toNanos(1);
        port.heardNanos = OptionalLong.of(time.at(nowNanos));
        tickFor(TTL_MILLIS);
        assertThat(port.proposed).isEmpty();
        tickFor(200);
        assertThat(port.proposed).hasSize(1);
    }

    @Test
    void ticksThatAreAlwaysLateEndDeadSessionsAllTheSame() { // H6
        lead(1, List.of(session(7)));
        for (int late = 0; late < 60; late++) {
            nowNanos += TimeUnit.MILLISECONDS.toNanos(300);
            ticker.turn(nowNanos);
        }
        assertThat(port.proposed).isNotEmpty();
    }

    @Test
    void anExpiryOfUnknownOutcomeConfirmsNothingUntilAnotherOneIsApplied() { // H4
        List<String> answers = new ArrayList<>();
        lead(1, List.of(session(7)));
        tickFor(TTL_MILLIS + 100);
        port.results.get(0).accept(ProposalResult.UNKNOWN);
        ticker.keepAlive(new SessionId(7), new Heard(answers));
        tickFor(500);
        assertThat(answers).isEmpty();
        assertThat(port.proposed).hasSize(1);
        tickFor(600);
        assertThat(port.proposed).hasSize(2);
        assertThat(answers).isEmpty();
        port.results.get(1).accept(ProposalResult.APPLIED);
        assertThat(answers).containsExactly("alive");
    }

    @Test
    void silencesGoOutInBoundedBatches() { // E36
        port.format = 2;
        List<SessionRecord> sessions = new ArrayList<>();
        for (long id = 1; id <= 1_200; id++) {
            sessions.add(session(id));
        }
        lead(1, sessions);
        tickFor(TTL_MILLIS / 2);
        assertThat(port.proposed)
                .hasSize(Silences.MAX_UNDER_WAY)
                .allMatch(Command.NoteSilence.class::isInstance);
        takeResults().forEach(result -> result.accept(ProposalResult.APPLIED));
        tickFor(50);
        assertThat(port.proposed).hasSize(2 * Silences.MAX_UNDER_WAY);
    }

    @Test
    void aNoteOfSilenceThatIsRefusedIsTriedAgain() { // E30
        port.format = 2;
        lead(1, List.of(session(7)));
        tickFor(TTL_MILLIS / 2);
        takeResults().forEach(result -> result.accept(ProposalResult.NOT_APPENDED));
        List<String> answers = new ArrayList<>();
        ticker.keepAlive(new SessionId(7), new Heard(answers));
        tickFor(50);
        assertThat(answers).containsExactly("alive");
    }

    @Test
    void manyWhoComeBackAtOnceAreClearedInBoundedBatchesAndAllConfirmed() { // E37
        List<SessionRecord> sessions = new ArrayList<>();
        for (long id = 1; id <= 1_200; id++) {
            sessions.add(silent(id));
        }
        lead(1, sessions);
        List<String> answers = new ArrayList<>();
        sessions.forEach(each -> ticker.keepAlive(each.id(), new Heard(answers)));
        tickFor(50);
        assertThat(port.proposed).hasSize(Silences.MAX_UNDER_WAY);
        for (int round = 0; round < 3; round++) {
            assertThat(answers).hasSize(round * Silences.MAX_UNDER_WAY);
            takeResults().forEach(result -> result.accept(ProposalResult.APPLIED));
        }
        assertThat(answers).hasSize(1_200).containsOnly("alive");
        assertThat(port.proposed).hasSize(1_200).allMatch(Command.NoteAlive.class::isInstance);
    }

    @Test
    void aSilentSessionThatComesBackIsToldNothingWhileTheLogIsUnsure() { // H6
        lead(1, List.of(silent(7), silent(8), silent(9)));
        List<String> answers = new ArrayList<>();
        ticker.keepAlive(new SessionId(7), new Heard(answers));
        ticker.keepAlive(new SessionId(8), new Heard(answers));
        ticker.keepAlive(new SessionId(9), new Heard(answers));
        tickFor(50);
        assertThat(answers).isEmpty();
        takeResults().get(0).accept(ProposalResult.UNKNOWN);
        assertThat(answers).containsExactly("unconfirmed");
        ticker.sessionEnded(new SessionId(8));
        assertThat(answers).containsExactly("unconfirmed", "expired");
        ticker.follow();
        assertThat(answers).containsExactly("unconfirmed", "expired", "unconfirmed");
    }

    @Test
    void whatIsHeardOfAProposalAfterTheTermIsOverChangesNothing() { // H4
        lead(1, List.of(silent(7)));
        List<String> answers = new ArrayList<>();
        ticker.keepAlive(new SessionId(7), new Heard(answers));
        tickFor(50);
        ticker.follow();
        takeResults().forEach(result -> result.accept(ProposalResult.APPLIED));
        assertThat(answers).containsExactly("unconfirmed");
    }

    @Test
    void aKeepAliveIsConfirmedAtOnceAndThoseThatFollowShareARound() {
        lead(1, List.of(session(7)));
        List<String> answers = new ArrayList<>();
        ticker.keepAlive(new SessionId(7), new Heard(answers));
        assertThat(ticker.turn(nowNanos)).isEqualTo(SessionTicker.TICK_NANOS);
        assertThat(answers).hasSize(1);
        ticker.keepAlive(new SessionId(7), new Heard(answers));
        ticker.keepAlive(new SessionId(7), new Heard(answers));
        assertThat(ticker.turn(nowNanos + 1)).isEqualTo(LeaderTerm.ROUND_GAP_NANOS - 1);
        assertThat(answers).hasSize(1);
        assertThat(ticker.turn(nowNanos + LeaderTerm.ROUND_GAP_NANOS))
                .isEqualTo(SessionTicker.TICK_NANOS - LeaderTerm.ROUND_GAP_NANOS);
        assertThat(answers).hasSize(3).containsOnly("alive");
        assertThat(port.rounds).isEqualTo(2);
    }

    @Test
    void aKeepAliveThatComesDuringARoundIsConfirmedByTheNext() { // H4
        port.heldRounds = new ArrayDeque<>();
        lead(1, List.of(session(7)));
        List<String> answers = new ArrayList<>();
        ticker.keepAlive(new SessionId(7), new Heard(answers));
        ticker.turn(nowNanos);
        ticker.keepAlive(new SessionId(7), new Heard(answers));
        tickFor(200);
        assertThat(port.rounds).isEqualTo(1);
        port.heldRounds.remove().accept(true);
        assertThat(answers).hasSize(1);
        ticker.turn(nowNanos);
        assertThat(port.rounds).isEqualTo(2);
        port.heldRounds.remove().accept(true);
        assertThat(answers).containsExactly("alive", "alive");
    }

    private List<Consumer<ProposalResult>> takeResults() {
        List<Consumer<ProposalResult>> results = List.copyOf(port.results);
        port.results.clear();
        return results;
    }

    private void tickFor(long millis) {
        long until = nowNanos + TimeUnit.MILLISECONDS.toNanos(millis);
        while (nowNanos < until) {
            nowNanos += SessionTicker.TICK_NANOS;
            ticker.turn(nowNanos);
        }
    }

    private static SessionRecord session(long id) {
        return session(id, 0);
    }

    private static SessionRecord silent(long id) {
        return session(id, 800);
    }

    private static SessionRecord session(long id, long deadlineMillis) {
        return new SessionRecord(
                new SessionId(id),
                new SessionSecret(id, id),
                TTL_MILLIS,
                new ClientMetadata("", "", 1),
                id,
                deadlineMillis,
                0,
                List.of());
    }

    /** This node leads, with those sessions in the state. */
    private void lead(long term, List<SessionRecord> sessions) {
        port.state = new LockStateMachine(new Snapshot(9, 0, 0, port.format, sessions, List.of()));
        ticker.lead(term, sessions, nowNanos);
    }

    private static final class Port implements TickerPort {
        private final List<Command> proposed = new ArrayList<>();
        private final List<Consumer<ProposalResult>> results = new ArrayList<>();
        private LockStateMachine state = new LockStateMachine();
        private OptionalLong heardNanos = OptionalLong.empty();
        private int format = 1;
        private int rounds;

        /** Rounds that a test ends; without it they end at once. */
        private @Nullable Deque<Consumer<Boolean>> heldRounds;

        @Override
        public OptionalLong lastHeardNanos(SessionId session) {
            return heardNanos;
        }

        @Override
        public <T> T read(Function<LockStateMachine, T> reader) {
            return reader.apply(state);
        }

        @Override
        public int formatOfAll() {
            return format;
        }

        @Override
        public void propose(long term, Command command, Consumer<ProposalResult> result) {
            proposed.add(command);
            results.add(result);
        }

        @Override
        public void confirmLeadership(Consumer<Boolean> confirmed) {
            rounds++;
            if (heldRounds == null) {
                confirmed.accept(true);
            } else {
                heldRounds.add(confirmed);
            }
        }
    }
}
