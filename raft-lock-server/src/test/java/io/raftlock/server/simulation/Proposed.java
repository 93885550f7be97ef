package io.raftlock.server.simulation;

import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.Entry;
import io.raftlock.server.raft.Verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** An entry on its way into the log, and those who wait to hear of it. */
final class Proposed {
    final long term;
    final SimNode by;
    final int life;
    final List<Command> commands = new ArrayList<>();
    private final List<Consumer<Verdict>> waiting = new ArrayList<>();
    private Entry entry;

    Proposed(long term, SimNode by, int life) {
        this.term = term;
        this.by = by;
        this.life = life;
    }

    void add(Command command, Consumer<Verdict> verdict) {
        commands.add(command);
        waiting.add(verdict);
    }

    void seal(long stampMillis) {
        entry = Bytes.written(stampMillis, commands);
    }

    Entry entry() {
        return entry;
    }

    /** Tells each who waits, once: after that nobody waits any more. */
    void settle(IntFunction<Verdict> verdicts) {
        List<Consumer<Verdict>> told = List.copyOf(waiting);
        waiting.clear();
        for (int slot = 0; slot < told.size(); slot++) {
            told.get(slot).accept(verdicts.apply(slot));
        }
    }

    void forget() {
        waiting.clear();
    }
}
