package io.raftlock.server.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** A machine made from a snapshot is the machine that the snapshot was taken of. */
class SnapshotTest {
    private final TestLog log = new TestLog();
    private final TestSession a = log.open();
    private final TestSession b = log.open();
    private final TestSession c = log.open();

    @Test
    void aMachineFromASnapshotGoesOnAsTheFirstWould() { // H10
        fill();
        LockStateMachine first = log.machine();
        LockStateMachine second = new LockStateMachine(first.snapshot());
        List<Command> more = new ArrayList<>();
        more.add(a.release("k", first.snapshot().locks().get(0).hold().token()));
        more.add(b.acquire("new"));
        more.add(c.acquire("k", 9));
        more.add(new Command.ExpireHold(first.snapshot().locks().get(1).name(), 1));
        more.add(b.close());
        more.add(new Command.Stamp());
        long index = first.appliedIndex();
        for (Command command : more) {
            Entry entry = new Entry(++index * 100, List.of(command));
            assertThat(second.apply(index, entry)).isEqualTo(first.apply(index, entry));
            assertThat(second.snapshot()).isEqualTo(first.snapshot());
            assertThat(second.waiterCount()).isEqualTo(first.waiterCount());
            assertThat(second.sessionCount()).isEqualTo(first.sessionCount());
        }
    }

    @Test
    void aSnapshotKeepsItsStateWhileTheMachineGoesOn() { // H10
        fill();
        Snapshot taken = log.snapshot();
        String text = taken.toString();
        log.applyEntry(a.close(), b.close(), c.close());
        assertThat(taken.toString()).isEqualTo(text);
        assertThat(new LockStateMachine(taken).snapshot()).isEqualTo(taken);
    }

    @Test
    void aSnapshotHasTheQueueInOrderTheAnswersAndTheDeadlines() { // H10
        fill();
        Snapshot snapshot = log.snapshot();
        assertThat(snapshot.locks())
                .extracting(lock -> lock.name().value())
                .containsExactly("k", "lease");
        assertThat(snapshot.locks().get(0).waiters())
                .extracting(Claim::session)
                .containsExactly(c.id(), b.id());
        assertThat(snapshot.locks().get(1).hold().deadlineMillis()).isEqualTo(60_000);
        assertThat(snapshot.sessions())
                .extracting(SessionRecord::id)
                .containsExactly(a.id(), b.id(), c.id());
        assertThat(snapshot.sessions().get(1).answers()).hasSize(2);
        assertThat(snapshot.clockMillis()).isZero();
    }

    @Test
    void theEmptySnapshotIsTheStateBeforeTheFirstEntry() {
        assertThat(new LockStateMachine().snapshot()).isEqualTo(Snapshot.EMPTY);
    }

    @Test
    void aSnapshotThatContradictsItselfIsNotLoaded() { // H10
        fill();
        Snapshot whole = log.snapshot();
        assertThatThrownBy(() -> new LockStateMachine(with(List.of(), whole.locks())))
                .isInstanceOf(IllegalStateException.class);
        List<LockRecord> twice = new ArrayList<>(whole.locks());
        twice.add(whole.locks().get(0));
        assertThatThrownBy(() -> new LockStateMachine(with(whole.sessions(), twice)))
                .isInstanceOf(IllegalStateException.class);
        List<SessionRecord> same = new ArrayList<>(whole.sessions());
        same.add(whole.sessions().get(0));
        assertThatThrownBy(() -> new LockStateMachine(with(same, List.of())))
                .isInstanceOf(IllegalStateException.class);
    }

    private static Snapshot with(List<SessionRecord> sessions, List<LockRecord> locks) {
        return new Snapshot(9, 0, 0, 1, sessions, locks);
    }

    private void fill() {
        log.applyEntry(a.acquire("k"), c.acquire("k"), b.acquire("k"), b.lease("lease", 60_000));
        log.apply(a.cancel(500));
    }

    @Test
    void positionsAreBounded() { // E33
        assertThat(LogPosition.of((1L << 51) - 1, LogPosition.MAX_BATCH - 1).value())
                .isEqualTo(Long.MAX_VALUE);
        assertThatThrownBy(() -> LogPosition.of(1L << 51, 0))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> LogPosition.of(-1, 0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> LogPosition.of(1, -1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> LogPosition.of(1, LogPosition.MAX_BATCH))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anEntryHoldsABoundedBatch() {
        List<Command> full = new ArrayList<>();
        for (int slot = 0; slot < LogPosition.MAX_BATCH; slot++) {
            full.add(new Command.Stamp());
        }
        assertThat(log.machine().apply(100, new Entry(0, full)).outcomes())
                .hasSize(LogPosition.MAX_BATCH);
        full.add(new Command.Stamp());
        assertThatThrownBy(() -> new Entry(0, full)).isInstanceOf(IllegalStateException.class);
    }
}
