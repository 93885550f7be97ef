package io.raftlock.bench.micro;

import io.raftlock.protocol.ClientMetadata;
import io.raftlock.protocol.LockName;
import io.raftlock.protocol.SessionId;
import io.raftlock.protocol.SessionSecret;
import io.raftlock.server.lock.Applied;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.Entry;
import io.raftlock.server.lock.LockStateMachine;
import io.raftlock.server.lock.Outcome;

import java.util.ArrayList;
import java.util.List;

/** A state machine with sessions, holds and waiters in it. Owned by one thread. */
final class FilledState {
    private static final long TTL_MILLIS = 10_000;
    private static final int BATCH = 1_000;
    private static final LockName CROWDED = new LockName("crowded");

    private final LockStateMachine state = new LockStateMachine();
    private final List<SessionId> sessions = new ArrayList<>();
    private final List<Command> batch = new ArrayList<>();
    private final long[] numbers;
    private long index;

    /**
     * Fills one.
     *
     * @param holds each of a lock of its own, spread over the sessions
     * @param waiters for one lock, on top of its holder; none if 0
     */
    FilledState(int sessionCount, int holds, int waiters) {
        numbers = new long[sessionCount];
        for (int i = 0; i < sessionCount; i++) {
            add(
                    new Command.OpenSession(
                            new SessionSecret(i, 1),
                            TTL_MILLIS,
                            new ClientMetadata("micro", "host", i)));
        }
        flush();
        for (int i = 0; i < holds; i++) {
            add(acquire(i % sessionCount, new LockName("held/" + i)));
        }
        for (int i = 0; i < waiters; i++) {
            add(acquire(i % sessionCount, CROWDED));
        }
        flush();
    }

    LockStateMachine state() {
        return state;
    }

    /** Applies one entry with the commands. */
    Applied apply(List<Command> commands) {
        index++;
        return state.apply(index, new Entry(index, commands));
    }

    Command.Acquire acquire(int session, LockName name) {
        long answered = numbers[session];
        numbers[session]++;
        long number = numbers[session];
        // The number of the owner is another for each hold, as of threads that come and go.
        return new Command.Acquire(
                sessions.get(session), number, answered, name, number, true, 0, "");
    }

    Command.Release release(int session, Command.Acquire held, long token) {
        long answered = numbers[session];
        numbers[session]++;
        return new Command.Release(
                sessions.get(session),
                numbers[session],
                answered,
                held.name(),
                held.owner(),
                token);
    }

    private void add(Command command) {
        batch.add(command);
        if (batch.size() == BATCH) {
            flush();
        }
    }

    private void flush() {
        for (Outcome outcome : apply(batch).outcomes()) {
            if (outcome instanceof Outcome.SessionOpened opened) {
                sessions.add(opened.session());
            }
        }
        batch.clear();
    }
}
