package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.LockName;
import io.raftlock.protocol.SessionId;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.LockRecord;
import io.raftlock.server.lock.LockStateMachine;
import io.raftlock.server.lock.Outcome;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** More work than threads. */
@Timeout(60)
class OverloadTest {
    private static final int COMMANDS = 600;

    @TempDir Path root;

    /**
     * JRaft wakes up replication on the threads of callbacks. With a pool of its own making, one
     * task that it refused while all of them were busy ended replication for good, and left out of
     * the leader's log on disk what was appended at that moment.
     */
    @Test
    void callbackThreadsThatAreAllBusyForSecondsCostNoEntry() throws Exception { // E17
        try (TestGroup group = TestGroup.started(root, 3)) {
            SessionId session = group.openSession();
            Set<String> acknowledged = ConcurrentHashMap.newKeySet();
            CountDownLatch free = block(Engine.closures(group.cluster));
            CompletableFuture<?>[] verdicts = new CompletableFuture<?>[COMMANDS];
            RaftGroup leader = group.leader();
            for (int number = 0; number < COMMANDS; number++) {
                verdicts[number] = acquire(leader, session, number, acknowledged);
                // Some each five milliseconds, over three seconds.
                assertThat(free.await(5, TimeUnit.MILLISECONDS)).isFalse();
            }
            free.countDown();
            CompletableFuture.allOf(verdicts).get(30, TimeUnit.SECONDS);
            assertThat(group.perform(new Command.Stamp())).isEqualTo(new Outcome.Done());
            group.awaitEqualStates();
            assertThat(acknowledged).isNotEmpty();

            group.haltAll();
            for (Member member : group.members) {
                assertThat(StoredFiles.holesIn(group.data(member.id()).resolve("log"))).isEmpty();
            }
            group.startAll();
            group.awaitEqualStates();
            for (RaftGroup node : group.nodes.values()) {
                assertThat(heldOn(node)).containsAll(acknowledged);
            }
            assertThat(group.fatal).isEmpty();
        }
    }

    /** Keeps all threads of the pool busy until the latch says so. */
    private static CountDownLatch block(ThreadPoolExecutor pool) throws InterruptedException {
        CountDownLatch free = new CountDownLatch(1);
        CountDownLatch busy = new CountDownLatch(pool.getMaximumPoolSize());
        for (int thread = 0; thread < pool.getMaximumPoolSize(); thread++) {
            pool.execute(
                    () -> {
                        busy.countDown();
                        awaitQuietly(free);
                    });
        }
        assertThat(busy.await(10, TimeUnit.SECONDS)).as("all threads are busy").isTrue();
        return free;
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private static CompletableFuture<Verdict> acquire(
            RaftGroup leader, SessionId session, int number, Set<String> acknowledged) {
        CompletableFuture<Verdict> verdict = new CompletableFuture<>();
        String name = "lock-" + number;
        leader.propose(
                TestGroup.acquire(session, number + 1, name),
                given -> {
                    if (given instanceof Verdict.Done) {
                        acknowledged.add(name);
                    }
                    verdict.complete(given);
                });
        return verdict;
    }

    private static Set<String> heldOn(RaftGroup node) {
        return node.read(LockStateMachine::snapshot).locks().stream()
                .map(LockRecord::name)
                .map(LockName::value)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
