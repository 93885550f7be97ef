package io.raftlock.server.raft;

import io.raftlock.server.lock.Applied;
import io.raftlock.server.lock.Entry;
import io.raftlock.server.lock.LockStateMachine;
import io.raftlock.server.lock.Snapshot;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * The state machine of this node. The apply thread alone changes it; others look at it between two
 * entries.
 *
 * <p>A lock, and not copies to read from, because readers are few (keep-alives of waiting clients,
 * the console) and an apply must not pay for them: without a reader it costs one uncontended
 * exchange per entry. Nobody may do anything long while holding it.
 */
final class ReplicatedState {
    private final ReentrantLock lock = new ReentrantLock();
    private LockStateMachine machine = new LockStateMachine();

    // -- apply thread

    Applied apply(long index, Entry entry) {
        lock.lock();
        try {
            return machine.apply(index, entry);
        } finally {
            lock.unlock();
        }
    }

    /** Forgets everything and goes on from the snapshot. */
    void replace(Snapshot snapshot) {
        LockStateMachine fresh = new LockStateMachine(snapshot);
        lock.lock();
        try {
            machine = fresh;
        } finally {
            lock.unlock();
        }
    }

    // -- any thread

    <T> T read(Function<LockStateMachine, T> reader) {
        lock.lock();
        try {
            return reader.apply(machine);
        } finally {
            lock.unlock();
        }
    }

    Snapshot snapshot() {
        return read(LockStateMachine::snapshot);
    }
}
