package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.protocol.SessionId;
import io.raftlock.server.format.EntryCodec;
import io.raftlock.server.format.Formats;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.LockStateMachine;
import io.raftlock.server.lock.Outcome;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** What goes wrong, and what the node makes of it. */
@Timeout(90)
class RaftGroupFailureTest {
    @TempDir Path root;

    // -- entries

    @Test
    void bytesThatAreNoEntryAreRefusedEverywhereAndStopNobody() throws Exception {
        try (TestGroup group = TestGroup.started(root, 3)) {
            SessionId session = group.openSession();
            List<byte[]> poison =
                    List.of(
                            new byte[0],
                            new byte[] {0},
                            new byte[] {1, 2, 3},
                            new byte[] {1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 99, 0, 0},
                            EntryCodec.join(1, 1, List.of(new byte[] {4, 0, 2, 7, 7})),
                            junk(1_000_000));
            poison.forEach(bytes -> group.leader().appendRaw(bytes));
            assertThat(group.perform(TestGroup.acquire(session, 1, "a")))
                    .isInstanceOf(Outcome.Granted.class);
            group.awaitEqualStates();
            for (String id : List.of("n1", "n2", "n3")) {
                group.halt(id);
            }
            for (String id : List.of("n1", "n2", "n3")) {
                group.start(id);
            }
            assertThat(group.perform(TestGroup.acquire(session, 2, "a")))
                    .isInstanceOf(Outcome.Queued.class);
            group.awaitEqualStates();
            assertThat(group.fatal).isEmpty();
        }
    }

    private static byte[] junk(int length) {
        byte[] bytes = new byte[length];
        new Random(7).nextBytes(bytes);
        bytes[0] = 1;
        return bytes;
    }

    @Test
    void anEntryOfALaterFormatStopsTheNodesAndIsNotSkipped() throws Exception {
        try (TestGroup group = TestGroup.started(root, 3)) {
            group.openSession();
            group.awaitEqualStates();
            RaftGroup leader = group.leader();
            long before = leader.read(LockStateMachine::appliedIndex);
            leader.appendRaw(new byte[] {Formats.NEWEST + 1, 0, 0});
            // The third cannot learn that the entry is committed: no two are left to lead it.
            TestGroup.await(() -> group.fatal.size() >= 2, "the leader and the next leader");
            assertThat(group.fatal)
                    .allMatch(what -> what.contains("run a newer version"))
                    .allMatch(what -> what.contains("has format " + (Formats.NEWEST + 1)));
            assertThat(group.nodes.values())
                    .allMatch(node -> node.read(LockStateMachine::appliedIndex) == before);
            TestGroup.await(() -> leader.leadership().role().equals("ERROR"), "stopped");
            assertThat(TestGroup.verdict(leader, new Command.Stamp()))
                    .isNotInstanceOf(Verdict.Done.class);
        }
    }

    @Test
    void anEntryOfALaterFormatStopsTheNodeAfterEveryRestart() throws Exception {
        try (TestGroup group = TestGroup.started(root, 1)) {
            group.leader().appendRaw(new byte[] {(byte) 200});
            TestGroup.await(() -> group.fatal.size() == 1, "fatal");
            group.halt("n1");
            try {
                group.start("n1");
                TestGroup.await(() -> group.fatal.size() == 2, "fatal again");
            } catch (NodeStartException found) {
                assertThat(found).hasMessageContaining("run a newer version");
            }
        }
    }

    // -- a leader that is cut off

    @Test
    void aLeaderThatIsCutOffConfirmsNothingAndCommitsNothing() throws Exception {
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

    // -- closures

    @Test
    void busyCallbackThreadsDelayAndDoNotStop() throws Exception {
        try (TestGroup group = TestGroup.started(root, 3)) {
            SessionId session = group.openSession();
            ExecutorService pool = Engine.closures(group.cluster);
            for (int task = 0; task < 500; task++) {
                pool.execute(() -> sleep(60));
            }
            RaftGroup leader = group.leader();
            CompletableFuture<?>[] verdicts = new CompletableFuture<?>[2_000];
            for (int number = 0; number < verdicts.length; number++) {
                CompletableFuture<Verdict> verdict = new CompletableFuture<>();
                leader.propose(
                        TestGroup.acquire(session, number + 1, "l" + number), verdict::complete);
                verdicts[number] = verdict;
                if (number % 20 == 0) {
                    sleep(10);
                }
            }
            CompletableFuture.allOf(verdicts).get(30, TimeUnit.SECONDS);
            assertThat(group.perform(new Command.Stamp())).isEqualTo(new Outcome.Done());
            group.awaitEqualStates();
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // -- snapshots

    @Test
    void aSnapshotThatFailedDoesNotPreventTheNext() throws Exception {
        try (TestGroup group = new TestGroup(root, 1)) {
            FailingOnce failing = new FailingOnce();
            RaftGroup node =
                    new RaftGroup(
                            group.settings("n1"),
                            (what, cause) -> group.fatal.add(what),
                            failing,
                            Formats.NEWEST);
            group.start("n1", node);
            group.openSession();
            assertThat(group.takeSnapshot("n1")).isFalse();
            assertThat(failing.calls.get()).isEqualTo(1);
            group.openSession();
            assertThat(group.takeSnapshot("n1")).isTrue();
            assertThat(group.fatal).isEmpty();
        }
    }

    /** Refuses the first task, runs the others in place. */
    private static final class FailingOnce extends AbstractExecutorService {
        final AtomicInteger calls = new AtomicInteger();

        @Override
        public void execute(Runnable task) {
            if (calls.getAndIncrement() == 0) {
                throw new RejectedExecutionException("as the test wants");
            }
            task.run();
        }

        @Override
        public void shutdown() {}

        @Override
        public List<Runnable> shutdownNow() {
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return true;
        }
    }

    @Test
    void aDamagedSnapshotIsNotLoaded() throws Exception {
        try (TestGroup group = TestGroup.started(root, 1)) {
            group.openSession();
            assertThat(group.takeSnapshot("n1")).isTrue();
            group.stop("n1");
            Path file = find(group.data("n1").resolve("snapshot"), "state");
            flipBit(file, Files.size(file) / 2);
            assertThatThrownBy(() -> group.start("n1"))
                    .isInstanceOf(NodeStartException.class)
                    .hasMessageContainingAll(
                            file.toString(), "is damaged", "the checksum does not match")
                    .hasMessageContaining("remove the node from the cluster");
            assertThat(group.fatal).isEmpty();
            flipBit(file, Files.size(file) / 2);
            group.start("n1");
        }
    }

    @Test
    void aDamagedSnapshotFromALeaderStopsTheFollowerAndIsNotMixedIn() throws Exception {
        try (TestGroup group = TestGroup.started(root, 3)) {
            SessionId session = group.openSession();
            group.awaitEqualStates();
            String down = group.follower();
            String before = group.nodes.get(down).digest();
            group.halt(down);
            for (int number = 1; number <= 20; number++) {
                group.perform(TestGroup.acquire(session, number, "l" + number));
                if (number % 10 == 0) {
                    for (String id : group.nodes.keySet()) {
                        assertThat(group.takeSnapshot(id)).isTrue();
                    }
                }
            }
            for (String id : group.nodes.keySet()) {
                Path file = find(group.data(id).resolve("snapshot"), "state");
                flipBit(file, Files.size(file) / 2);
            }
            RaftGroup behind = group.start(down);
            TestGroup.await(() -> !group.fatal.isEmpty(), "fatal");
            assertThat(group.fatal)
                    .allMatch(what -> what.startsWith(down))
                    .allMatch(what -> what.contains("is damaged"));
            assertThat(behind.read(LockStateMachine::holdCount)).isZero();
            assertThat(before).isNotEqualTo(group.leader().digest());
        }
    }

    // -- the log and the vote

    @Test
    void aDamagedLogIsNotOpened() throws Exception {
        try (TestGroup group = TestGroup.started(root, 1)) {
            SessionId session = group.openSession();
            for (int number = 1; number <= 200; number++) {
                group.perform(TestGroup.acquire(session, number, "l" + number));
            }
            group.stop("n1");
            Path log = find(group.data("n1").resolve("log"), ".log");
            flipBit(log, lengthOfContent(log) / 2);
            assertThatThrownBy(() -> group.start("n1"))
                    .isInstanceOf(NodeStartException.class)
                    .hasMessageContainingAll("the log in", "is damaged", "remove the node");
            assertThat(group.fatal).isEmpty();
        }
    }

    @Test
    void aNodeThatForgotItsVoteDoesNotStart() throws Exception {
        try (TestGroup group = TestGroup.started(root, 1)) {
            group.openSession();
            group.stop("n1");
            Files.delete(group.data("n1").resolve("meta/raft_meta"));
            assertThatThrownBy(() -> group.start("n1"))
                    .isInstanceOf(NodeStartException.class)
                    .hasMessageContainingAll("the node's vote", "is not");
        }
    }

    // -- what is taken

    @Test
    void aTakenPortOrAnUnknownNameIsSaid() throws Exception {
        try (TestGroup group = TestGroup.started(root, 1)) {
            Member self = group.members.get(0);
            // The directory is taken too: DataDirectoryTest has that by itself.
            assertThatThrownBy(() -> group.start("n1"))
                    .isInstanceOf(NodeStartException.class)
                    .hasMessageContainingAll(self.raftAddress(), "is in use");
            assertThatThrownBy(() -> group.start("n7"))
                    .isInstanceOf(NodeStartException.class)
                    .hasMessageContainingAll("\"n7\" is not among the members", "[n1]");
            group.perform(new Command.Stamp());
            group.stop("n1");
            try (ServerSocket taken =
                    new ServerSocket(self.raftPort(), 1, InetAddress.getByName("127.0.0.1"))) {
                assertThatThrownBy(() -> group.start("n1"))
                        .isInstanceOf(NodeStartException.class)
                        .hasMessageContainingAll(self.raftAddress(), "is in use");
                assertThat(taken.isBound()).isTrue();
            }
            group.start("n1");
            group.perform(new Command.Stamp());
        }
    }

    @Test
    void anIdleNodeTakesLittleDisk() throws Exception {
        try (TestGroup group = TestGroup.started(root, 1)) {
            group.openSession();
            Process du =
                    new ProcessBuilder("du", "-sk", group.data("n1").toString())
                            .redirectErrorStream(true)
                            .start();
            String answer = new String(du.getInputStream().readAllBytes());
            assertThat(Long.parseLong(answer.split("\\s")[0])).isLessThan(60 * 1024);
        }
    }

    private static Path find(Path directory, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.toString().endsWith(ending))
                    .max(Comparator.comparing(Path::toString))
                    .orElseThrow();
        }
    }

    /** WAL files are reserved in advance: beyond what was written there are zeros. */
    private static long lengthOfContent(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int length = bytes.length;
        while (length > 0 && bytes[length - 1] == 0) {
            length--;
        }
        return length;
    }

    private static void flipBit(Path file, long at) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[(int) at] ^= 1;
        Files.write(file, bytes);
    }
}
