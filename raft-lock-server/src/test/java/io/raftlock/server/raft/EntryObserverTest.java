package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.SessionId;
import io.raftlock.server.format.EntryCodec;
import io.raftlock.server.format.Formats;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.Entry;
import io.raftlock.server.lock.LockStateMachine;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** Who looks at the log while it is applied. */
@Timeout(90)
class EntryObserverTest {
    @TempDir Path root;

    private record Seen(long index, long term, boolean readOnly, Entry entry) {}

    /** Reads each entry to its end, so that one which is shared would show. */
    private static final class Observer implements EntryObserver {
        final Queue<Seen> seen = new ConcurrentLinkedQueue<>();

        @Override
        public void applied(long index, long term, ByteBuffer entry) {
            Entry read = EntryCodec.decode(entry, Formats.NEWEST);
            seen.add(new Seen(index, term, entry.isReadOnly(), read));
            entry.position(entry.limit());
        }

        List<Command> commands() {
            return seen.stream().flatMap(each -> each.entry().commands().stream()).toList();
        }
    }

    @Test
    void allObserversOfAllNodesSeeTheSameEntriesInTheOrderOfTheLog() throws Exception {
        Map<String, Observer> first = Map.of("n1", new Observer(), "n2", new Observer());
        Observer second = new Observer();
        try (TestGroup group = new TestGroup(root, 3)) {
            group.observers.put("n1", List.of(first.get("n1"), second));
            group.observers.put("n2", List.of(first.get("n2")));
            group.startAll();
            SessionId session = group.openSession();
            group.perform(TestGroup.acquire(session, 1, "a"));
            group.awaitEqualStates();
            Queue<Seen> seen = second.seen;
            Command acquire = TestGroup.acquire(session, 1, "a");
            TestGroup.await(() -> second.commands().contains(acquire), "the acquire is seen");
            assertThat(seen).extracting(Seen::index).isSorted().doesNotHaveDuplicates();
            assertThat(seen).allMatch(each -> each.term() > 0 && each.readOnly());
            for (Observer each : first.values()) {
                TestGroup.await(() -> each.seen.size() == seen.size(), "all is seen");
                assertThat(each.seen).containsExactlyElementsOf(seen);
            }
        }
    }

    @Test
    void anEntryIsSeenBeforeItIsAnswered() throws Exception {
        Observer observer = new Observer();
        try (TestGroup group = new TestGroup(root, 1)) {
            group.observers.put("n1", List.of(observer));
            group.startAll();
            SessionId session = group.openSession();
            Command acquire = TestGroup.acquire(session, 1, "a");
            CompletableFuture<Boolean> seenBefore = new CompletableFuture<>();
            group.leader()
                    .propose(
                            acquire,
                            verdict -> seenBefore.complete(observer.commands().contains(acquire)));
            assertThat(seenBefore.get(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void anObserverThatThrowsStopsTheNodeAndNothingIsAnswered() throws Exception {
        try (TestGroup group = new TestGroup(root, 1)) {
            group.observers.put(
                    "n1",
                    List.of(
                            (index, term, entry) -> {
                                throw new IllegalStateException("the disk of the audit is full");
                            }));
            group.startAll();
            assertThat(TestGroup.verdict(group.leader(), new Command.Stamp()))
                    .isNotInstanceOf(Verdict.Done.class);
            TestGroup.await(() -> !group.fatal.isEmpty(), "fatal");
            assertThat(group.fatal).hasSize(1);
            assertThat(group.fatal.iterator().next())
                    .contains("could not be observed: the disk of the audit is full");
        }
    }

    @Test
    void entriesSinceTheSnapshotAreSeenAgainAfterARestart() throws Exception {
        try (TestGroup group = new TestGroup(root, 1)) {
            group.startAll();
            SessionId session = group.openSession();
            assertThat(group.takeSnapshot("n1")).isTrue();
            group.perform(TestGroup.acquire(session, 1, "a"));
            group.haltAll();
            Observer observer = new Observer();
            group.observers.put("n1", List.of(observer));
            group.startAll();
            long applied = group.leader().read(LockStateMachine::appliedIndex);
            assertThat(observer.commands()).contains(TestGroup.acquire(session, 1, "a"));
            assertThat(observer.commands()).noneMatch(Command.OpenSession.class::isInstance);
            assertThat(observer.seen).allMatch(each -> each.index() <= applied);
        }
    }

    @Test
    void theProductComesWithNone() throws Exception {
        assertThat(EntryObserver.onClassPath()).isEmpty();
    }
}
