package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.LockName;
import io.raftlock.protocol.SessionId;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.Outcome;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A leader that is cut off, or that hands over. */
@Timeout(60)
class LeaderFaultsTest {
    private static final int RESTARTS = 3;
    private static final int CUTS = 3;
    private static final int HAND_OVERS = 7;

    /** Elections in a fraction of a second. */
    private static final Tuning QUICK = new Tuning(250, 100, 0, 0, 8, 16_384);

    @TempDir Path root;

    @Test
    void aLeaderThatIsCutOffConfirmsNothingAndCommitsNothing() throws Exception { // H4, E15
        try (TestGroup group = TestGroup.started(root, 3)) {
            SessionId session = group.openSession();
            String old = group.leaderId();
            RaftGroup cutOff = group.nodes.get(old);
            group.isolate(old);
            CompletableFuture<Verdict> verdict = new CompletableFuture<>();
            CompletableFuture<Boolean> confirmed = new CompletableFuture<>();
            cutOff.propose(TestGroup.acquire(session, 1, "a"), verdict::complete);
            cutOff.confirmLeadership(confirmed::complete);
            assertThat(confirmed.get(10, TimeUnit.SECONDS)).isFalse();
            assertThat(verdict.get(10, TimeUnit.SECONDS)).isInstanceOf(Verdict.Unknown.class);
            TestGroup.await(() -> !cutOff.leadership().leading(), "stepped down");
            assertThat(TestGroup.verdict(cutOff, new Command.Stamp()))
                    .isEqualTo(new Verdict.NotLeader());
            assertThat(group.events.get(old).stops.get()).isPositive();
            assertThat(group.perform(TestGroup.acquire(session, 2, "a")))
                    .isInstanceOf(Outcome.Granted.class);
            group.heal();
            group.awaitEqualStates();
            assertThat(group.perform(TestGroup.acquire(session, 1, "a")))
                    .isInstanceOf(Outcome.Queued.class);
        }
    }

    @Test
    void handingOverToNobodyFailsAndTheLeaderGoesOn() throws Exception {
        try (TestGroup group = TestGroup.started(root, 3)) {
            String leader = group.leaderId();
            for (String id : List.of("n1", "n2", "n3")) {
                if (!id.equals(leader)) {
                    group.halt(id);
                }
            }
            RaftGroup alone = group.nodes.get(leader);
            long start = System.nanoTime();
            assertThat(alone.handOver(Waiting.deadlineIn(Duration.ofSeconds(1)))).isFalse();
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isLessThan(Duration.ofSeconds(3));
        }
    }

    @Test
    void leadershipGoesToTheMemberThatIsUp() throws Exception {
        try (TestGroup group = TestGroup.started(root, 3)) {
            SessionId session = group.openSession();
            for (int round = 0; round < 3; round++) {
                group.awaitEqualStates();
                String down = group.follower();
                group.halt(down);
                RaftGroup old = group.leader();
                assertThat(old.handOver(Waiting.deadlineIn(Duration.ofSeconds(10)))).isTrue();
                assertThat(group.perform(new Command.Stamp())).isEqualTo(new Outcome.Done());
                group.start(down);
                assertThat(group.leader()).isNotSameAs(old);
            }
            assertThat(group.perform(TestGroup.acquire(session, 1, "a")))
                    .isInstanceOf(Outcome.Granted.class);
        }
    }

    // -- tokens

    @Test
    void tokensRiseOverChangesOfTheLeaderAndRestartsOfAll() throws Exception { // E13
        try (TestGroup group = new TestGroup(root, 3, QUICK)) {
            group.startAll();
            SessionId session = group.openSession();
            Tokens tokens = new Tokens(group, session);
            for (int restart = 0; restart < RESTARTS; restart++) {
                for (int cut = 0; cut < CUTS; cut++) {
                    tokens.takeAndRelease();
                    cutTheLeaderOff(group, tokens);
                }
                for (int handOver = 0; handOver < HAND_OVERS; handOver++) {
                    group.leader().handOver(Waiting.deadlineIn(Duration.ofSeconds(5)));
                    tokens.takeAndRelease();
                }
                group.awaitEqualStates();
                if (restart == 1) {
                    group.nodes.keySet().forEach(group::takeSnapshot);
                }
                group.haltAll();
                group.startAll();
                tokens.takeAndRelease();
            }
            group.awaitEqualStates();
            assertThat(group.leader().leadership().term())
                    .as("so often another led")
                    .isGreaterThan(RESTARTS * (CUTS + HAND_OVERS));
            assertThat(group.fatal).isEmpty();
        }
    }

    /** What the old leader was asked while it was cut off may be granted later, or never. */
    private static void cutTheLeaderOff(TestGroup group, Tokens tokens) {
        String old = group.leaderId();
        RaftGroup cutOff = group.nodes.get(old);
        group.isolate(old);
        cutOff.propose(tokens.nextAcquire(), verdict -> {});
        TestGroup.await(
                () ->
                        group.nodes.values().stream()
                                .anyMatch(node -> node != cutOff && node.isLeading()),
                "another leads");
        TestGroup.await(() -> !cutOff.isLeading(), "the old one knows");
        tokens.takeAndRelease();
        group.heal();
    }

    /** Takes one lock again and again, and looks at the tokens. */
    private static final class Tokens {
        private static final String NAME = "k";

        private final TestGroup group;
        private final SessionId session;
        private long number;
        private long last;

        Tokens(TestGroup group, SessionId session) {
            this.group = group;
            this.session = session;
        }

        Command.Acquire nextAcquire() {
            return TestGroup.acquire(session, ++number, NAME);
        }

        void takeAndRelease() {
            Command.Acquire acquire = nextAcquire();
            Outcome outcome = group.perform(acquire);
            assertThat(outcome).isInstanceOf(Outcome.Granted.class);
            long token = ((Outcome.Granted) outcome).token();
            assertThat(token).isGreaterThan(last);
            last = token;
            group.perform(
                    new Command.Release(
                            session, ++number, 0, new LockName(NAME), acquire.owner(), token));
        }
    }
}
