package io.raftlock.server.net;

import io.raftlock.server.lock.Applied;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.Entry;
import io.raftlock.server.lock.LockStateMachine;
import io.raftlock.server.raft.Leadership;
import io.raftlock.server.raft.ReplicatedLog;
import io.raftlock.server.raft.Verdict;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** A log of one node that applies a command as soon as it is proposed, or does as it is told. */
final class FakeLog implements ReplicatedLog {
    private final LockStateMachine machine = new LockStateMachine();
    private Leadership leadership = new Leadership("LEADER", 1, true, "n1");
    private Consumer<Applied> applied = nobody -> {};
    private Verdict insteadOfApplying;
    private long index;

    void tell(Consumer<Applied> listener) {
        applied = listener;
    }

    void lead(Leadership now) {
        leadership = now;
    }

    /** The next proposals get this verdict and are not applied; null to apply again. */
    void answer(Verdict verdict) {
        insteadOfApplying = verdict;
    }

    void apply(Command command) {
        propose(command, verdict -> {});
    }

    @Override
    public void propose(Command command, Consumer<Verdict> verdict) {
        if (insteadOfApplying != null) {
            verdict.accept(insteadOfApplying);
            return;
        }
        Applied effect = machine.apply(++index, new Entry(0, List.of(command)));
        verdict.accept(new Verdict.Done(effect.outcomes().get(0)));
        applied.accept(effect);
    }

    @Override
    public void propose(long term, Command command, Consumer<Verdict> verdict) {
        propose(command, verdict);
    }

    @Override
    public void confirmLeadership(Consumer<Boolean> confirmed) {
        confirmed.accept(leadership.leading());
    }

    @Override
    public boolean isLeading() {
        return leadership.leading();
    }

    @Override
    public Leadership leadership() {
        return leadership;
    }

    @Override
    public int formatOfAll() {
        return 0;
    }

    @Override
    public <T> T read(Function<LockStateMachine, T> reader) {
        return reader.apply(machine);
    }
}
