package io.raftlock.server.lock;

import io.raftlock.protocol.ClientMetadata;
import io.raftlock.protocol.LockName;
import io.raftlock.protocol.SessionId;
import io.raftlock.protocol.SessionSecret;

/** What the log can ask of the state machine. */
public sealed interface Command {

    record OpenSession(SessionSecret secret, long ttlMillis, ClientMetadata metadata)
            implements Command {
        @Override
        public Kind kind() {
            return Kind.OPEN_SESSION;
        }
    }

    record CloseSession(SessionId session, SessionSecret secret) implements Command {
        @Override
        public Kind kind() {
            return Kind.CLOSE_SESSION;
        }
    }

    /**
     * The leader has heard nothing from the session for its whole TTL.
     *
     * @param lastCommand position of the last command of the session that the leader knew of; one
     *     applied since proves that the session lives
     */
    record ExpireSession(SessionId session, long lastCommand) implements Command {
        @Override
        public Kind kind() {
            return Kind.EXPIRE_SESSION;
        }
    }

    /**
     * The leader has heard nothing from the session for so long. Written down so that the time
     * which a silent session has left is not counted anew by each new leader.
     *
     * @param lastCommand as in {@link ExpireSession}
     */
    record NoteSilence(SessionId session, long lastCommand, long silentMillis) implements Command {
        @Override
        public Kind kind() {
            return Kind.NOTE_SILENCE;
        }
    }

    /** A session that was noted silent has been heard. */
    record NoteAlive(SessionId session) implements Command {
        @Override
        public Kind kind() {
            return Kind.NOTE_ALIVE;
        }
    }

    /**
     * Asks for a lock.
     *
     * @param number of the request in its session, used once
     * @param answeredUpTo the client has the answers of all its requests up to this number
     * @param owner number of the thread or handle in the session that will hold the lock
     * @param queue whether to wait when the lock is taken
     * @param maxHoldMillis after which the hold may be ended; 0 for never
     */
    record Acquire(
            SessionId session,
            long number,
            long answeredUpTo,
            LockName name,
            long owner,
            boolean queue,
            long maxHoldMillis,
            String metadata)
            implements Numbered {
        @Override
        public Kind kind() {
            return Kind.ACQUIRE;
        }
    }

    /** Takes back the acquire of that number, whether it waits, holds, or has yet to arrive. */
    record CancelAcquire(SessionId session, long number, long answeredUpTo, long acquireNumber)
            implements Numbered {
        @Override
        public Kind kind() {
            return Kind.CANCEL_ACQUIRE;
        }
    }

    record Release(
            SessionId session,
            long number,
            long answeredUpTo,
            LockName name,
            long owner,
            long token)
            implements Numbered {
        @Override
        public Kind kind() {
            return Kind.RELEASE;
        }
    }

    /** The explicit lease of that hold has run out on the cluster clock. */
    record ExpireHold(LockName name, long token) implements Command {
        @Override
        public Kind kind() {
            return Kind.EXPIRE_HOLD;
        }
    }

    /** Moves the cluster clock to the stamp of its entry, and does nothing else. */
    record Stamp() implements Command {
        @Override
        public Kind kind() {
            return Kind.STAMP;
        }
    }

    /** Every member has said that it reads this format of entries and snapshots. */
    record RaiseFormat(int format) implements Command {
        @Override
        public Kind kind() {
            return Kind.RAISE_FORMAT;
        }
    }

    /** Bytes that were in the log and are no command: refused, the same on every node. */
    record Malformed() implements Command {
        @Override
        public Kind kind() {
            return Kind.MALFORMED;
        }
    }

    /** A command that takes effect at most once, by its number. */
    sealed interface Numbered extends Command {
        SessionId session();

        long number();

        long answeredUpTo();
    }

    Kind kind();

    enum Kind {
        OPEN_SESSION(1),
        CLOSE_SESSION(1),
        EXPIRE_SESSION(1),
        NOTE_SILENCE(2),
        NOTE_ALIVE(2),
        ACQUIRE(1),
        CANCEL_ACQUIRE(1),
        RELEASE(1),
        EXPIRE_HOLD(1),
        STAMP(1),
        RAISE_FORMAT(2),
        MALFORMED(1);

        private final int format;

        Kind(int format) {
            this.format = format;
        }

        /** The first format of entries and snapshots that knows this kind. */
        public int format() {
            return format;
        }
    }
}
