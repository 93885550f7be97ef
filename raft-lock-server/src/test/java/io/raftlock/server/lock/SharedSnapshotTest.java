package io.raftlock.server.lock;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Another thread reads a snapshot while entries are applied, as the one that writes it does. */
@Timeout(60)
class SharedSnapshotTest {
    private static final int LOCKS = 2_000;
    private static final int SNAPSHOTS = 300;

    private final LockStateMachine machine = new LockStateMachine();
    private final TestLog log = new TestLog(machine);
    private final List<TestSession> sessions = List.of(log.open(), log.open(), log.open());
    private final long[] tokens = new long[LOCKS];
    private final ExecutorService reader = Executors.newSingleThreadExecutor();

    /** How often each lock was passed on. */
    private final int[] turns = new int[LOCKS];

    @BeforeEach
    void fill() {
        for (int lock = 0; lock < LOCKS; lock++) {
            List<Command> commands = new ArrayList<>();
            for (TestSession session : sessions) {
                session.acknowledge();
                commands.add(session.acquire("lock-" + lock));
            }
            tokens[lock] = apply(commands);
        }
    }

    @AfterEach
    void end() {
        reader.shutdownNow();
    }

    @Test
    void aSnapshotIsReadWhileItsLocksArePassedOn() throws Exception {
        int lock = 0;
        for (int snapshot = 0; snapshot < SNAPSHOTS; snapshot++) {
            Snapshot taken = machine.snapshot();
            List<LockRecord> then = List.copyOf(taken.locks());
            Future<List<LockRecord>> read = reader.submit(() -> List.copyOf(taken.locks()));
            while (!read.isDone()) {
                passOn(lock);
                lock = (lock + 1) % LOCKS;
            }
            assertThat(read.get()).isEqualTo(then);
            assertThat(taken.locks()).isEqualTo(then);
        }
    }

    /** Who has the lock releases it and comes to the end of its queue again. */
    private void passOn(int lock) {
        TestSession holder = sessions.get(turns[lock] % sessions.size());
        turns[lock]++;
        holder.acknowledge();
        String name = "lock-" + lock;
        tokens[lock] = apply(List.of(holder.release(name, tokens[lock]), holder.acquire(name)));
    }

    /** Returns the token that the first of the commands gives to somebody. */
    private long apply(List<Command> commands) {
        long index = machine.appliedIndex() + 1;
        Applied applied = machine.apply(index, new Entry(0, commands));
        assertThat(applied.outcomes()).noneMatch(outcome -> outcome.kind() == Outcome.Kind.REFUSED);
        return LogPosition.of(index, 0).value();
    }
}
