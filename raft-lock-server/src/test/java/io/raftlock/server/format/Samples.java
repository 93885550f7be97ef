package io.raftlock.server.format;

import io.raftlock.protocol.ClientMetadata;
import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.LockName;
import io.raftlock.protocol.SessionId;
import io.raftlock.protocol.SessionSecret;
import io.raftlock.server.lock.Claim;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.Hold;
import io.raftlock.server.lock.LockRecord;
import io.raftlock.server.lock.Outcome;
import io.raftlock.server.lock.SessionRecord;
import io.raftlock.server.lock.Snapshot;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One value of every kind, with a different value in every field. */
final class Samples {
    private static final SessionId SESSION = new SessionId(0x1001);
    private static final SessionSecret SECRET =
            new SessionSecret(0x0102030405060708L, 0x090A0B0C0D0E0F10L);
    private static final LockName NAME = new LockName("orders/ä42");
    private static final ClientMetadata CLIENT = new ClientMetadata("worker", "host-1", 4711);

    private Samples() {}

    static Command command(Command.Kind kind) {
        return switch (kind) {
            case OPEN_SESSION -> new Command.OpenSession(SECRET, 10_000, CLIENT);
            case CLOSE_SESSION -> new Command.CloseSession(SESSION, SECRET);
            case EXPIRE_SESSION -> new Command.ExpireSession(SESSION, 0x2002);
            case ACQUIRE -> new Command.Acquire(SESSION, 7, 5, NAME, 3, true, 60_000, "why");
            case CANCEL_ACQUIRE -> new Command.CancelAcquire(SESSION, 8, 6, 7);
            case RELEASE -> new Command.Release(SESSION, 9, 8, NAME, 3, 0x3003);
            case EXPIRE_HOLD -> new Command.ExpireHold(NAME, 0x3003);
            case STAMP -> new Command.Stamp();
            case NOTE_SILENCE -> new Command.NoteSilence(SESSION, 0x2002, 4_000);
            case NOTE_ALIVE -> new Command.NoteAlive(SESSION);
            case RAISE_FORMAT -> new Command.RaiseFormat(2);
            case MALFORMED -> new Command.Malformed();
        };
    }

    static Outcome outcome(Outcome.Kind kind) {
        return switch (kind) {
            case SESSION_OPENED -> new Outcome.SessionOpened(SESSION, 10_000);
            case SESSION_CLOSED -> new Outcome.SessionClosed();
            case GRANTED -> new Outcome.Granted(0x3003, 123_456);
            case QUEUED -> new Outcome.Queued(17);
            case CANCELLED -> new Outcome.Cancelled();
            case RELEASED -> new Outcome.Released();
            case REFUSED -> new Outcome.Refused(ErrorCode.NOT_HOLDER);
            case DONE -> new Outcome.Done();
            case OVERTAKEN -> new Outcome.Overtaken();
        };
    }

    /** Two sessions; a lock with a queue, a lock without. */
    static Snapshot snapshot(int format) {
        SessionId other = new SessionId(0x1002);
        List<SessionRecord.Answer> answers =
                Stream.of(Outcome.Kind.values())
                        .map(kind -> new SessionRecord.Answer(10 + kind.ordinal(), outcome(kind)))
                        .toList();
        return new Snapshot(
                99,
                123_456,
                0x7000_0000L,
                format,
                List.of(
                        new SessionRecord(SESSION, SECRET, 10_000, CLIENT, 0x4004, 0, 9, answers),
                        new SessionRecord(
                                other,
                                new SessionSecret(1, 2),
                                500,
                                new ClientMetadata("", "", 0),
                                0x1002,
                                format == 1 ? 0 : 130_000,
                                0,
                                List.of())),
                List.of(
                        new LockRecord(
                                NAME,
                                new Hold(new Claim(SESSION, 7, 3, NAME, 60_000, "why"), 0x3003, 99),
                                List.of(
                                        new Claim(other, 1, 1, NAME, 0, ""),
                                        new Claim(SESSION, 12, 4, NAME, 1, "x"))),
                        lock(new LockName("b"), other)));
    }

    /** So many locks, to fill the buffers more than once. */
    static Snapshot large(int locks) {
        return new Snapshot(
                1,
                2,
                3,
                Formats.NEWEST,
                List.of(),
                IntStream.range(0, locks)
                        .mapToObj(at -> lock(new LockName("lock-" + at), SESSION))
                        .toList());
    }

    private static LockRecord lock(LockName name, SessionId session) {
        return new LockRecord(
                name, new Hold(new Claim(session, 2, 1, name, 0, "m"), 0x5005, 0), List.of());
    }
}
