package io.raftlock.chaos.ledger;

import io.raftlock.chaos.ledger.JournalSource.Recorded;
import io.raftlock.protocol.ClientMetadata;
import io.raftlock.protocol.LockName;
import io.raftlock.protocol.SessionId;
import io.raftlock.protocol.SessionSecret;
import io.raftlock.server.format.EntryCodec;
import io.raftlock.server.format.StateDigest;
import io.raftlock.server.lock.Applied;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.Entry;
import io.raftlock.server.lock.LockStateMachine;
import io.raftlock.server.lock.LogPosition;
import io.raftlock.server.lock.Outcome;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Makes a log, entry by entry, and journals of it. */
public final class LogFixture {
    public static final long TTL_MILLIS = 1_000;

    private final LockStateMachine state = new LockStateMachine();
    private final List<Recorded> records = new ArrayList<>();
    private long index;
    private long term = 1;
    private long stampMillis;
    private long lastNumber;

    /** A journal in memory. */
    public record MemoryJournal(String name, List<Recorded> records) implements JournalSource {
        @Override
        public Iterator<Recorded> open() {
            return records.iterator();
        }
    }

    /** Appends one entry and returns its effect. */
    public Applied append(List<Command> commands) {
        index++;
        Entry entry = new Entry(stampMillis, commands);
        records.add(new Recorded(index, term, EntryCodec.encode(entry)));
        return state.apply(index, entry);
    }

    public Outcome append(Command command) {
        return append(List.of(command)).outcomes().get(0);
    }

    /** Leaves an index without an entry of ours, as a new leader does. */
    public void newTerm() {
        index++;
        term++;
    }

    public void stamp(long millis) {
        stampMillis = millis;
    }

    public SessionId open(String client) {
        Command.OpenSession open =
                new Command.OpenSession(
                        new SessionSecret(1, ++lastNumber),
                        TTL_MILLIS,
                        new ClientMetadata(client, "test", 1));
        return ((Outcome.SessionOpened) append(open)).session();
    }

    public Outcome acquire(SessionId session, String lock, long call, boolean queue) {
        return append(acquireCommand(session, ++lastNumber, lock, call, queue));
    }

    public static Command.Acquire acquireCommand(
            SessionId session, long number, String lock, long call, boolean queue) {
        String metadata = call == 0 ? "" : Long.toString(call);
        return new Command.Acquire(
                session, number, 0, new LockName(lock), number, queue, 0, metadata);
    }

    /** Returns the number of the last request. */
    public long lastNumber() {
        return lastNumber;
    }

    /** Releases the hold as its owner, which is named like the acquire's number. */
    public Outcome release(SessionId session, String lock, long owner, long token) {
        return append(
                new Command.Release(session, ++lastNumber, 0, new LockName(lock), owner, token));
    }

    public Outcome cancel(SessionId session, long acquire) {
        return append(new Command.CancelAcquire(session, ++lastNumber, 0, acquire));
    }

    public Outcome expire(SessionId session) {
        return append(new Command.ExpireSession(session, state.lastCommand(session).orElseThrow()));
    }

    /** Returns the position of the last entry's first command. */
    public long position() {
        return LogPosition.of(index, 0).value();
    }

    public long index() {
        return index;
    }

    public LockStateMachine state() {
        return state;
    }

    public String digest() {
        return StateDigest.of(state.snapshot());
    }

    public List<Recorded> records() {
        return records;
    }

    /** Returns what a node that applied everything has written. */
    public MemoryJournal journal(String name) {
        return journal(name, 1, index);
    }

    /** Returns what a life has written that applied these entries. */
    public MemoryJournal journal(String name, long from, long to) {
        return new MemoryJournal(
                name,
                records.stream()
                        .filter(each -> each.index() >= from && each.index() <= to)
                        .toList());
    }
}
