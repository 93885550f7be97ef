package io.raftlock.protocol;

import java.util.List;

/**
 * What a node answers, or tells of its own accord (a push, under call id 0). An answer is one of
 * three outcomes: done; refused ({@link Refused}, {@link NotLeader}), without effect; or unknown
 * ({@link Unknown}), to be asked again under the same number.
 *
 * <p>Times named {@code clockMillis} and {@code deadlineMillis} are on the cluster clock, which has
 * nothing to do with any wall clock. A deadline of 0 means that there is none.
 */
public sealed interface Response {

    /** The version that both speak from here on. */
    record Welcome(int version, String nodeId) implements Response {
        @Override
        public Kind kind() {
            return Kind.WELCOME;
        }
    }

    /** The session is open, and this connection speaks for it. */
    record SessionOpened(SessionId session, long ttlMillis) implements Response {
        @Override
        public Kind kind() {
            return Kind.SESSION_OPENED;
        }
    }

    record Attached(SessionId session) implements Response {
        @Override
        public Kind kind() {
            return Kind.ATTACHED;
        }
    }

    record SessionClosed() implements Response {
        @Override
        public Kind kind() {
            return Kind.SESSION_CLOSED;
        }
    }

    /**
     * The session lives, counted from when the keep-alive was sent: the leader was the leader after
     * it had arrived. Of the acquires asked after, those that wait no more: granted, or gone
     * (ended, cancelled or never seen).
     */
    record KeptAlive(long clockMillis, List<Grant> grants, List<Long> gone) implements Response {
        public KeptAlive {
            grants = List.copyOf(grants);
            gone = List.copyOf(gone);
        }

        @Override
        public Kind kind() {
            return Kind.KEPT_ALIVE;
        }
    }

    /** One hold: which acquire it answers, its token, and when it ends by itself. */
    record Grant(long number, long token, long deadlineMillis) {}

    /** The lock is held. Both an answer and a push. */
    record Granted(Grant grant, long clockMillis) implements Response {
        @Override
        public Kind kind() {
            return Kind.GRANTED;
        }
    }

    /** The acquire waits. The head of the queue has position 1. */
    record Queued(int position) implements Response {
        @Override
        public Kind kind() {
            return Kind.QUEUED;
        }
    }

    /** The acquire neither waits nor holds, and never will. */
    record Cancelled() implements Response {
        @Override
        public Kind kind() {
            return Kind.CANCELLED;
        }
    }

    record Released() implements Response {
        @Override
        public Kind kind() {
            return Kind.RELEASED;
        }
    }

    record Refused(ErrorCode code, String message) implements Response {
        @Override
        public Kind kind() {
            return Kind.REFUSED;
        }
    }

    /**
     * As an answer: this node does not lead. As a push: a node leads, or this one leads no more.
     * The address is the leader's for clients, or empty if unknown; a push can name the node
     * itself.
     */
    record NotLeader(String leaderAddress) implements Response {
        @Override
        public Kind kind() {
            return Kind.NOT_LEADER;
        }
    }

    /** The request may or may not have taken effect; the same number gets the answer. */
    record Unknown(String message) implements Response {
        @Override
        public Kind kind() {
            return Kind.UNKNOWN;
        }
    }

    /** Push: the session is over. */
    record SessionEnded(SessionId session, EndReason reason) implements Response {
        @Override
        public Kind kind() {
            return Kind.SESSION_ENDED;
        }
    }

    /** Push: one hold of the session is over though its owner did not release it. */
    record HoldEnded(long number, long token, EndReason reason) implements Response {
        @Override
        public Kind kind() {
            return Kind.HOLD_ENDED;
        }
    }

    /**
     * How a node is.
     *
     * @param role LEADER, FOLLOWER, CANDIDATE, … in the words of the Raft paper
     * @param appliedIndex last log index in the state that {@code digest} was taken of
     * @param digest of the whole replicated state, equal on nodes with equal {@code appliedIndex}
     */
    record NodeStatus(
            String nodeId,
            String role,
            long term,
            String leaderId,
            long appliedIndex,
            String digest,
            int sessions,
            int holds,
            int waiters)
            implements Response {
        @Override
        public Kind kind() {
            return Kind.NODE_STATUS;
        }
    }

    Kind kind();

    /** The kinds of response, with their numbers on the wire. */
    enum Kind {
        WELCOME(1),
        SESSION_OPENED(2),
        ATTACHED(3),
        SESSION_CLOSED(4),
        KEPT_ALIVE(5),
        GRANTED(6),
        QUEUED(7),
        CANCELLED(8),
        RELEASED(9),
        REFUSED(10),
        NOT_LEADER(11),
        UNKNOWN(12),
        SESSION_ENDED(13),
        HOLD_ENDED(14),
        NODE_STATUS(15);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        int code() {
            return code;
        }

        static Kind of(int code) {
            return switch (code) {
                case 1 -> WELCOME;
                case 2 -> SESSION_OPENED;
                case 3 -> ATTACHED;
                case 4 -> SESSION_CLOSED;
                case 5 -> KEPT_ALIVE;
                case 6 -> GRANTED;
                case 7 -> QUEUED;
                case 8 -> CANCELLED;
                case 9 -> RELEASED;
                case 10 -> REFUSED;
                case 11 -> NOT_LEADER;
                case 12 -> UNKNOWN;
                case 13 -> SESSION_ENDED;
                case 14 -> HOLD_ENDED;
                case 15 -> NODE_STATUS;
                default -> throw new ProtocolException("unknown response kind " + code);
            };
        }
    }
}
