package io.raftlock.server.format;

import io.raftlock.protocol.ClientMetadata;
import io.raftlock.protocol.SessionId;
import io.raftlock.protocol.SessionSecret;
import io.raftlock.server.lock.Command;

import java.io.IOException;

/** Commands as bytes. Their codes stand in logs on disk: none is ever used for something else. */
final class CommandCodec {
    private static final int MALFORMED = 0;
    private static final int OPEN_SESSION = 1;
    private static final int CLOSE_SESSION = 2;
    private static final int EXPIRE_SESSION = 3;
    private static final int ACQUIRE = 4;
    private static final int CANCEL_ACQUIRE = 5;
    private static final int RELEASE = 6;
    private static final int EXPIRE_HOLD = 7;
    private static final int STAMP = 8;
    private static final int NOTE_SILENCE = 9;
    private static final int NOTE_ALIVE = 10;
    private static final int RAISE_FORMAT = 11;

    private CommandCodec() {}

    static int code(Command.Kind kind) {
        return switch (kind) {
            case OPEN_SESSION -> OPEN_SESSION;
            case CLOSE_SESSION -> CLOSE_SESSION;
            case EXPIRE_SESSION -> EXPIRE_SESSION;
            case NOTE_SILENCE -> NOTE_SILENCE;
            case NOTE_ALIVE -> NOTE_ALIVE;
            case ACQUIRE -> ACQUIRE;
            case CANCEL_ACQUIRE -> CANCEL_ACQUIRE;
            case RELEASE -> RELEASE;
            case EXPIRE_HOLD -> EXPIRE_HOLD;
            case STAMP -> STAMP;
            case RAISE_FORMAT -> RAISE_FORMAT;
            case MALFORMED -> MALFORMED;
        };
    }

    static void write(FieldWriter out, Command command) throws IOException {
        switch (command.kind()) {
            case OPEN_SESSION -> writeOpenSession(out, (Command.OpenSession) command);
            case CLOSE_SESSION -> writeCloseSession(out, (Command.CloseSession) command);
            case EXPIRE_SESSION -> writeExpireSession(out, (Command.ExpireSession) command);
            case NOTE_SILENCE -> writeNoteSilence(out, (Command.NoteSilence) command);
            case NOTE_ALIVE -> out.writeLong(((Command.NoteAlive) command).session().value());
            case ACQUIRE -> writeAcquire(out, (Command.Acquire) command);
            case CANCEL_ACQUIRE -> writeCancelAcquire(out, (Command.CancelAcquire) command);
            case RELEASE -> writeRelease(out, (Command.Release) command);
            case EXPIRE_HOLD -> writeExpireHold(out, (Command.ExpireHold) command);
            case RAISE_FORMAT -> out.writeByte(((Command.RaiseFormat) command).format());
            case STAMP, MALFORMED -> {}
        }
    }

    static Command read(int code, FieldReader in) throws IOException {
        return switch (code) {
            case OPEN_SESSION -> readOpenSession(in);
            case CLOSE_SESSION -> new Command.CloseSession(readSession(in), readSecret(in));
            case EXPIRE_SESSION -> new Command.ExpireSession(readSession(in), in.readLong());
            case ACQUIRE -> readAcquire(in);
            case CANCEL_ACQUIRE -> readCancelAcquire(in);
            case RELEASE -> readRelease(in);
            case EXPIRE_HOLD -> new Command.ExpireHold(in.readName(), in.readLong());
            case STAMP -> new Command.Stamp();
            case NOTE_SILENCE ->
                    new Command.NoteSilence(readSession(in), in.readLong(), in.readLong());
            case NOTE_ALIVE -> new Command.NoteAlive(readSession(in));
            case RAISE_FORMAT -> new Command.RaiseFormat(in.readByte());
            case MALFORMED -> new Command.Malformed();
            default -> throw new UnreadableException("unknown command code " + code);
        };
    }

    private static void writeOpenSession(FieldWriter out, Command.OpenSession open)
            throws IOException {
        writeSecret(out, open.secret());
        out.writeLong(open.ttlMillis());
        writeMetadata(out, open.metadata());
    }

    private static Command readOpenSession(FieldReader in) throws IOException {
        return new Command.OpenSession(readSecret(in), in.readLong(), readMetadata(in));
    }

    private static void writeCloseSession(FieldWriter out, Command.CloseSession close)
            throws IOException {
        out.writeLong(close.session().value());
        writeSecret(out, close.secret());
    }

    private static void writeExpireSession(FieldWriter out, Command.ExpireSession expire)
            throws IOException {
        out.writeLong(expire.session().value());
        out.writeLong(expire.lastCommand());
    }

    private static void writeNoteSilence(FieldWriter out, Command.NoteSilence note)
            throws IOException {
        out.writeLong(note.session().value());
        out.writeLong(note.lastCommand());
        out.writeLong(note.silentMillis());
    }

    private static void writeAcquire(FieldWriter out, Command.Acquire acquire) throws IOException {
        writeNumbered(out, acquire);
        out.writeName(acquire.name());
        out.writeLong(acquire.owner());
        out.writeBoolean(acquire.queue());
        out.writeLong(acquire.maxHoldMillis());
        out.writeText(acquire.metadata());
    }

    private static Command readAcquire(FieldReader in) throws IOException {
        return new Command.Acquire(
                readSession(in),
                in.readLong(),
                in.readLong(),
                in.readName(),
                in.readLong(),
                in.readBoolean(),
                in.readLong(),
                in.readText());
    }

    private static void writeCancelAcquire(FieldWriter out, Command.CancelAcquire cancel)
            throws IOException {
        writeNumbered(out, cancel);
        out.writeLong(cancel.acquireNumber());
    }

    private static Command readCancelAcquire(FieldReader in) throws IOException {
        return new Command.CancelAcquire(
                readSession(in), in.readLong(), in.readLong(), in.readLong());
    }

    private static void writeRelease(FieldWriter out, Command.Release release) throws IOException {
        writeNumbered(out, release);
        out.writeName(release.name());
        out.writeLong(release.owner());
        out.writeLong(release.token());
    }

    private static Command readRelease(FieldReader in) throws IOException {
        return new Command.Release(
                readSession(in),
                in.readLong(),
                in.readLong(),
                in.readName(),
                in.readLong(),
                in.readLong());
    }

    private static void writeExpireHold(FieldWriter out, Command.ExpireHold expire)
            throws IOException {
        out.writeName(expire.name());
        out.writeLong(expire.token());
    }

    private static void writeNumbered(FieldWriter out, Command.Numbered command)
            throws IOException {
        out.writeLong(command.session().value());
        out.writeLong(command.number());
        out.writeLong(command.answeredUpTo());
    }

    // -- fields that snapshots have too

    static SessionId readSession(FieldReader in) throws IOException {
        return new SessionId(in.readLong());
    }

    static void writeSecret(FieldWriter out, SessionSecret secret) throws IOException {
        out.writeLong(secret.high());
        out.writeLong(secret.low());
    }

    static SessionSecret readSecret(FieldReader in) throws IOException {
        return new SessionSecret(in.readLong(), in.readLong());
    }

    static void writeMetadata(FieldWriter out, ClientMetadata metadata) throws IOException {
        out.writeText(metadata.name());
        out.writeText(metadata.host());
        out.writeLong(metadata.pid());
    }

    static ClientMetadata readMetadata(FieldReader in) throws IOException {
        return new ClientMetadata(in.readText(), in.readText(), in.readLong());
    }
}
