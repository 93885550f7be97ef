package io.raftlock.server.format;

import io.raftlock.server.lock.Outcome;

import java.io.IOException;

/** Outcomes as bytes: snapshots keep the answers that clients may ask for again. */
final class OutcomeCodec {
    private static final int SESSION_OPENED = 1;
    private static final int SESSION_CLOSED = 2;
    private static final int GRANTED = 3;
    private static final int QUEUED = 4;
    private static final int CANCELLED = 5;
    private static final int RELEASED = 6;
    private static final int REFUSED = 7;
    private static final int DONE = 8;
    private static final int OVERTAKEN = 9;

    private OutcomeCodec() {}

    static void write(FieldWriter out, Outcome outcome) throws IOException {
        out.writeByte(code(outcome.kind()));
        switch (outcome.kind()) {
            case SESSION_OPENED -> writeSessionOpened(out, (Outcome.SessionOpened) outcome);
            case GRANTED -> writeGranted(out, (Outcome.Granted) outcome);
            case QUEUED -> out.writeInt(((Outcome.Queued) outcome).position());
            case REFUSED -> out.writeShort(((Outcome.Refused) outcome).code().code());
            case SESSION_CLOSED, CANCELLED, RELEASED, DONE, OVERTAKEN -> {}
        }
    }

    static Outcome read(FieldReader in) throws IOException {
        int code = in.readByte();
        return switch (code) {
            case SESSION_OPENED ->
                    new Outcome.SessionOpened(CommandCodec.readSession(in), in.readLong());
            case SESSION_CLOSED -> new Outcome.SessionClosed();
            case GRANTED -> new Outcome.Granted(in.readLong(), in.readLong());
            case QUEUED -> new Outcome.Queued(in.readCount());
            case CANCELLED -> new Outcome.Cancelled();
            case RELEASED -> new Outcome.Released();
            case REFUSED -> new Outcome.Refused(in.readErrorCode());
            case DONE -> new Outcome.Done();
            case OVERTAKEN -> new Outcome.Overtaken();
            default -> throw new UnreadableException("unknown outcome code " + code);
        };
    }

    private static int code(Outcome.Kind kind) {
        return switch (kind) {
            case SESSION_OPENED -> SESSION_OPENED;
            case SESSION_CLOSED -> SESSION_CLOSED;
            case GRANTED -> GRANTED;
            case QUEUED -> QUEUED;
            case CANCELLED -> CANCELLED;
            case RELEASED -> RELEASED;
            case REFUSED -> REFUSED;
            case DONE -> DONE;
            case OVERTAKEN -> OVERTAKEN;
        };
    }

    private static void writeSessionOpened(FieldWriter out, Outcome.SessionOpened opened)
            throws IOException {
        out.writeLong(opened.session().value());
        out.writeLong(opened.ttlMillis());
    }

    private static void writeGranted(FieldWriter out, Outcome.Granted granted) throws IOException {
        out.writeLong(granted.token());
        out.writeLong(granted.deadlineMillis());
    }
}
