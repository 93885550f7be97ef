package io.raftlock.protocol;

import java.util.List;

/**
 * What a client asks of a node. Requests that change a session's locks carry a number that the
 * client uses once: a retry under the same number gets the first answer. {@code answeredUpTo} says
 * that the client has the answers of all its requests up to that number, so that the cluster need
 * not keep them.
 */
public sealed interface Request {

    /** The first frame of a connection: the versions that the client speaks. */
    record Hello(int minVersion, int maxVersion) implements Request {
        @Override
        public Kind kind() {
            return Kind.HELLO;
        }
    }

    /** Opens a session; again under the same secret, it answers with the session it opened. */
    record OpenSession(SessionSecret secret, long ttlMillis, ClientMetadata metadata)
            implements Request {
        @Override
        public Kind kind() {
            return Kind.OPEN_SESSION;
        }
    }

    /** Makes this connection the one that speaks for the session and gets its pushes. */
    record Attach(SessionId session, SessionSecret secret) implements Request {
        @Override
        public Kind kind() {
            return Kind.ATTACH;
        }
    }

    /** Ends the session and all it holds. Needs no attached connection, and no number. */
    record CloseSession(SessionId session, SessionSecret secret) implements Request {
        @Override
        public Kind kind() {
            return Kind.CLOSE_SESSION;
        }
    }

    /**
     * Keeps the session alive, and asks what became of acquires that were queued when last heard
     * of: so a grant whose push was lost is late and not lost.
     */
    record KeepAlive(SessionId session, List<Long> pending) implements Request {
        public KeepAlive {
            pending = List.copyOf(pending);
        }

        @Override
        public Kind kind() {
            return Kind.KEEP_ALIVE;
        }
    }

    /**
     * Asks for a lock.
     *
     * @param owner number of the thread or handle within the session that will hold the lock
     * @param queue whether to wait in the queue when the lock is taken
     * @param maxHoldMillis after which the hold ends whatever happens; 0 for no such end
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
            implements Request {
        @Override
        public Kind kind() {
            return Kind.ACQUIRE;
        }
    }

    /** Takes back the acquire of that number: waiting, granted, or not yet arrived. */
    record CancelAcquire(SessionId session, long number, long answeredUpTo, long acquireNumber)
            implements Request {
        @Override
        public Kind kind() {
            return Kind.CANCEL_ACQUIRE;
        }
    }

    /** Ends the hold of that lock that was granted with that token. */
    record Release(
            SessionId session,
            long number,
            long answeredUpTo,
            LockName name,
            long owner,
            long token)
            implements Request {
        @Override
        public Kind kind() {
            return Kind.RELEASE;
        }
    }

    /** Asks any node how it is. */
    record Status() implements Request {
        @Override
        public Kind kind() {
            return Kind.STATUS;
        }
    }

    Kind kind();

    /** The kinds of request, with their numbers on the wire. */
    enum Kind {
        HELLO(1),
        OPEN_SESSION(2),
        ATTACH(3),
        CLOSE_SESSION(4),
        KEEP_ALIVE(5),
        ACQUIRE(6),
        CANCEL_ACQUIRE(7),
        RELEASE(8),
        STATUS(9);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        int code() {
            return code;
        }

        static Kind of(int code) {
            return switch (code) {
                case 1 -> HELLO;
                case 2 -> OPEN_SESSION;
                case 3 -> ATTACH;
                case 4 -> CLOSE_SESSION;
                case 5 -> KEEP_ALIVE;
                case 6 -> ACQUIRE;
                case 7 -> CANCEL_ACQUIRE;
                case 8 -> RELEASE;
                case 9 -> STATUS;
                default -> throw new ProtocolException("unknown request kind " + code);
            };
        }
    }
}
