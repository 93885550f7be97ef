package io.raftlock.server.format;

import io.raftlock.protocol.LockName;
import io.raftlock.server.lock.Claim;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.Hold;
import io.raftlock.server.lock.Invariant;
import io.raftlock.server.lock.LockRecord;
import io.raftlock.server.lock.SessionRecord;
import io.raftlock.server.lock.Snapshot;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Snapshots as bytes: a header, the sessions, the locks, and the CRC32C of all of it. Both ways go
 * through a small buffer, so a snapshot of a million locks needs no memory beyond its records.
 */
public final class SnapshotCodec {
    /** "RLOCKSNP" in ASCII. */
    private static final long MAGIC = 0x524C_4F43_4B53_4E50L;

    private static final int BUFFER_BYTES = 64 * 1024;

    /** A count in damaged bytes must not reserve memory; beyond this, lists grow as they fill. */
    private static final int MAX_RESERVED = 1_024;

    private SnapshotCodec() {}

    /**
     * Writes the snapshot, in the format that it names, to the stream, which it neither flushes nor
     * closes.
     */
    public static void write(Snapshot snapshot, OutputStream stream) throws IOException {
        FieldWriter out = new FieldWriter(stream, BUFFER_BYTES);
        out.writeLong(MAGIC);
        out.writeByte(snapshot.format());
        out.writeLong(snapshot.appliedIndex());
        out.writeLong(snapshot.clockMillis());
        out.writeLong(snapshot.epochBase());
        out.writeInt(snapshot.sessions().size());
        out.writeInt(snapshot.locks().size());
        for (SessionRecord session : snapshot.sessions()) {
            writeSession(out, snapshot.format(), session);
        }
        for (LockRecord lock : snapshot.locks()) {
            writeLock(out, lock);
        }
        out.writeChecksum();
        out.flush();
    }

    /**
     * Reads a snapshot that is all that is left in the stream.
     *
     * @param newest format that may be read
     * @throws DamagedSnapshotException if the bytes are not a whole, unchanged snapshot, or the
     *     stream fails
     * @throws FutureFormatException if it has a later format
     */
    public static Snapshot read(InputStream stream, int newest) throws DamagedSnapshotException {
        try {
            FieldReader in = new FieldReader(stream);
            if (in.readLong() != MAGIC) {
                throw new DamagedSnapshotException("it does not begin like a snapshot");
            }
            int format = in.readByte();
            if (format > newest) {
                throw new FutureFormatException("the snapshot", format, newest);
            }
            Snapshot snapshot = readBody(in, format);
            in.checkChecksum();
            in.checkEnd();
            return snapshot;
        } catch (IOException unreadable) {
            throw new DamagedSnapshotException(String.valueOf(unreadable.getMessage()), unreadable);
        }
    }

    private static Snapshot readBody(FieldReader in, int format) throws IOException {
        long appliedIndex = in.readLong();
        long clockMillis = in.readLong();
        long epochBase = in.readLong();
        int sessionCount = in.readCount();
        int lockCount = in.readCount();
        return new Snapshot(
                appliedIndex,
                clockMillis,
                epochBase,
                format,
                readList(sessionCount, () -> readSession(in, format)),
                readList(lockCount, () -> readLock(in)));
    }

    private static void writeSession(FieldWriter out, int format, SessionRecord session)
            throws IOException {
        out.writeLong(session.id().value());
        CommandCodec.writeSecret(out, session.secret());
        out.writeLong(session.ttlMillis());
        CommandCodec.writeMetadata(out, session.metadata());
        out.writeLong(session.lastCommand());
        if (hasSilence(format)) {
            out.writeLong(session.deadlineMillis());
        } else {
            Invariant.check(session.deadlineMillis() == 0, "silence is noted in later formats");
        }
        out.writeLong(session.answeredUpTo());
        out.writeInt(session.answers().size());
        for (SessionRecord.Answer answer : session.answers()) {
            out.writeLong(answer.number());
            OutcomeCodec.write(out, answer.outcome());
        }
    }

    private static boolean hasSilence(int format) {
        return format >= Command.Kind.NOTE_SILENCE.format();
    }

    private static SessionRecord readSession(FieldReader in, int format) throws IOException {
        return new SessionRecord(
                CommandCodec.readSession(in),
                CommandCodec.readSecret(in),
                in.readLong(),
                CommandCodec.readMetadata(in),
                in.readLong(),
                hasSilence(format) ? in.readLong() : 0,
                in.readLong(),
                readList(in.readCount(), () -> readAnswer(in)));
    }

    private static SessionRecord.Answer readAnswer(FieldReader in) throws IOException {
        return new SessionRecord.Answer(in.readLong(), OutcomeCodec.read(in));
    }

    private static void writeLock(FieldWriter out, LockRecord lock) throws IOException {
        out.writeName(lock.name());
        writeClaim(out, lock, lock.hold().claim());
        out.writeLong(lock.hold().token());
        out.writeLong(lock.hold().deadlineMillis());
        out.writeInt(lock.waiters().size());
        for (Claim waiter : lock.waiters()) {
            writeClaim(out, lock, waiter);
        }
    }

    private static LockRecord readLock(FieldReader in) throws IOException {
        LockName name = in.readName();
        Hold hold = new Hold(readClaim(in, name), in.readLong(), in.readLong());
        return new LockRecord(name, hold, readList(in.readCount(), () -> readClaim(in, name)));
    }

    private static void writeClaim(FieldWriter out, LockRecord lock, Claim claim)
            throws IOException {
        Invariant.check(claim.name().equals(lock.name()), "a claim stands with its lock");
        out.writeLong(claim.session().value());
        out.writeLong(claim.number());
        out.writeLong(claim.owner());
        out.writeLong(claim.maxHoldMillis());
        out.writeText(claim.metadata());
    }

    private static Claim readClaim(FieldReader in, LockName name) throws IOException {
        return new Claim(
                CommandCodec.readSession(in),
                in.readLong(),
                in.readLong(),
                name,
                in.readLong(),
                in.readText());
    }

    private interface Read<T> {
        T next() throws IOException;
    }

    private static <T> List<T> readList(int count, Read<T> read) throws IOException {
        List<T> values = new ArrayList<>(Math.min(count, MAX_RESERVED));
        for (int at = 0; at < count; at++) {
            values.add(read.next());
        }
        return List.copyOf(values);
    }
}
