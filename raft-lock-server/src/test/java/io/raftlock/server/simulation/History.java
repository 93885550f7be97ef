package io.raftlock.server.simulation;

import static io.raftlock.server.simulation.Violation.require;

import io.raftlock.protocol.LockName;
import io.raftlock.protocol.SessionId;
import io.raftlock.server.lock.Applied;
import io.raftlock.server.lock.Entry;
import io.raftlock.server.lock.Outcome;
import io.raftlock.server.lock.Snapshot;

import java.util.TreeMap;

/** What the log has done so far, as the first node to apply each entry saw it. */
final class History {
    private record Seen(Applied effect, Snapshot state) {}

    private final Model model = new Model();
    private final TreeMap<Long, Seen> byIndex = new TreeMap<>();
    private long entries;

    /**
     * A node has applied an entry: as the others did, or as the model says if it is the first,
     * which is returned.
     */
    boolean applied(long index, Entry entry, Applied effect, Snapshot state) {
        Seen seen = byIndex.get(index);
        if (seen != null) {
            require(
                    effect.equals(seen.effect),
                    "two effects of entry %d:%n%s%n%s",
                    index,
                    effect,
                    seen.effect);
            require(
                    state.equals(seen.state),
                    "two states after entry %d:%n%s%n%s",
                    index,
                    state,
                    seen.state);
            return false;
        }
        require(byIndex.isEmpty() || byIndex.lastKey() < index, "entry %d is applied late", index);
        byIndex.put(index, new Seen(effect, state));
        entries++;
        model.apply(index, entry, effect);
        model.compareWith(state);
        return true;
    }

    /** A node goes on from a snapshot. */
    void loaded(Snapshot state) {
        Seen seen = byIndex.get(state.appliedIndex());
        require(
                seen != null && state.equals(seen.state),
                "a snapshot is the state it was taken of");
    }

    long entries() {
        return entries;
    }

    long grants() {
        return model.grants();
    }

    boolean isEnded(SessionId session) {
        return model.isEnded(session);
    }

    boolean isHeldBy(LockName name, SessionId session, long number, long token) {
        return model.isHeldBy(name, session, number, token);
    }

    boolean isHeldBy(LockName name, SessionId session, long number) {
        return model.isHeldBy(name, session, number);
    }

    String holder(LockName name) {
        return model.holder(name);
    }

    void checkAnswer(SessionId session, long number, Outcome outcome) {
        model.checkAnswer(session, number, outcome);
    }
}
