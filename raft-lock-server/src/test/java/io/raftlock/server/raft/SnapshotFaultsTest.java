package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.raftlock.protocol.SessionId;
import io.raftlock.server.lock.LockStateMachine;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Snapshots that cannot be written, and snapshots that are damaged. */
@Timeout(60)
class SnapshotFaultsTest {
    private static final Path FULL = Path.of("/dev/full");

    @TempDir Path root;

    // -- that cannot be written

    @Test
    void aSnapshotThatFailsOnTheApplyThreadDoesNotPreventTheNext() throws Exception {
        firstFailsAndSecondDoesNot(
                group -> {
                    throw new RejectedExecutionException("as the test wants");
                });
    }

    @Test
    void aSnapshotThatFailsInItsWriterDoesNotPreventTheNext() throws Exception {
        firstFailsAndSecondDoesNot(
                group -> Files.delete(group.data("n1").resolve("snapshot/temp")));
    }

    @Test
    void aSnapshotForWhichTheDiskHasNoRoomDoesNotPreventTheNext() throws Exception {
        assumeTrue(Files.isWritable(FULL), "needs /dev/full, where nothing can be written");
        firstFailsAndSecondDoesNot(
                group ->
                        Files.createSymbolicLink(
                                group.data("n1").resolve("snapshot/temp/state"), FULL));
    }

    private interface Fault {
        void strike(TestGroup group) throws IOException;
    }

    private void firstFailsAndSecondDoesNot(Fault fault) throws Exception {
        try (TestGroup group = new TestGroup(root, 1)) {
            AtomicInteger snapshots = new AtomicInteger();
            group.start(
                    "n1",
                    group.node(
                            "n1",
                            new InPlace(
                                    () -> {
                                        if (snapshots.incrementAndGet() == 1) {
                                            fault.strike(group);
                                        }
                                    })));
            group.openSession();
            assertThat(group.takeSnapshot("n1")).isFalse();
            assertThat(snapshots.get()).isEqualTo(1);
            group.openSession();
            assertThat(group.takeSnapshot("n1")).isTrue();
            String before = group.leader().digest();
            group.halt("n1");
            group.start("n1");
            assertThat(group.leader().digest()).isEqualTo(before);
            assertThat(group.fatal).isEmpty();
        }
    }

    private interface Before {
        void run() throws IOException;
    }

    /** Runs each task on the thread that brings it, after something else. */
    private static final class InPlace extends AbstractExecutorService {
        private final Before before;

        InPlace(Before before) {
            this.before = before;
        }

        @Override
        public void execute(Runnable task) {
            try {
                before.run();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
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

    // -- that are damaged

    @Test
    void aDamagedSnapshotIsNotLoaded() throws Exception { // H10
        try (TestGroup group = TestGroup.started(root, 1)) {
            group.openSession();
            assertThat(group.takeSnapshot("n1")).isTrue();
            group.stop("n1");
            Path file = state(group, "n1");
            StoredFiles.flipBit(file, Files.size(file) / 2);
            assertThatThrownBy(() -> group.start("n1"))
                    .isInstanceOf(NodeStartException.class)
                    .hasMessageContainingAll(
                            file.toString(), "is damaged", "the checksum does not match")
                    .hasMessageContaining("Rebuild a node");
            assertThat(group.fatal).isEmpty();
            StoredFiles.flipBit(file, Files.size(file) / 2);
            group.start("n1");
        }
    }

    @Test
    void aDamagedSnapshotFromALeaderIsNotTakenAndTheNextOneIs() throws Exception { // H10
        try (TestGroup group = TestGroup.started(root, 3)) {
            SessionId session = group.openSession();
            group.awaitEqualStates();
            String down = group.follower();
            assertThat(group.takeSnapshot(down)).isTrue();
            String before = group.nodes.get(down).digest();
            group.halt(down);
            leaveBehind(group, session);
            for (String id : group.nodes.keySet()) {
                Path file = state(group, id);
                StoredFiles.flipBit(file, Files.size(file) / 2);
            }
            long position = positionOfState(group, down);

            RaftGroup behind = group.start(down);
            awaitRejected(group, down);
            assertThat(behind.digest()).as("keeps what it has").isEqualTo(before);
            assertThat(positionOfState(group, down)).isEqualTo(position);
            group.halt(down);
            RaftGroup again = group.start(down);
            awaitRejected(group, down);
            assertThat(again.digest()).as("also after a restart").isEqualTo(before);
            assertThat(again.read(LockStateMachine::holdCount)).isZero();

            group.openSession();
            group.nodes.keySet().stream()
                    .filter(id -> !id.equals(down))
                    .forEach(id -> assertThat(group.takeSnapshot(id)).isTrue());
            group.awaitEqualStates();
            assertThat(group.fatal).isEmpty();
        }
    }

    /** Goes on for so long that the log alone does not help who is down. */
    private static void leaveBehind(TestGroup group, SessionId session) {
        for (int number = 1; number <= 20; number++) {
            group.perform(TestGroup.acquire(session, number, "l" + number));
            if (number % 10 == 0) {
                group.awaitEqualStates();
                group.nodes.keySet().forEach(id -> assertThat(group.takeSnapshot(id)).isTrue());
            }
        }
    }

    /** Waits until the node has fetched a snapshot, and cleared it away. */
    private static void awaitRejected(TestGroup group, String id) {
        Path fetched = group.data(id).resolve("snapshot/temp");
        TestGroup.await(() -> Files.exists(fetched), "fetched");
        TestGroup.await(() -> !Files.exists(fetched), "cleared away");
    }

    private static Path state(TestGroup group, String id) throws IOException {
        return StoredFiles.find(group.data(id).resolve("snapshot"), "state");
    }

    private static long positionOfState(TestGroup group, String id) throws IOException {
        String directory = state(group, id).getParent().getFileName().toString();
        return Long.parseLong(directory.substring("snapshot_".length()));
    }
}
