package io.raftlock.server.lock;

import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.SessionId;

/** What became of one command. */
public sealed interface Outcome {

    record SessionOpened(SessionId session, long ttlMillis) implements Outcome {
        @Override
        public Kind kind() {
            return Kind.SESSION_OPENED;
        }
    }

    record SessionClosed() implements Outcome {
        @Override
        public Kind kind() {
            return Kind.SESSION_CLOSED;
        }
    }

    /** The lock is held; a deadline of 0 means that the hold has none. */
    record Granted(long token, long deadlineMillis) implements Outcome {
        @Override
        public Kind kind() {
            return Kind.GRANTED;
        }
    }

    /** The acquire waits; the head of the queue has position 1. */
    record Queued(int position) implements Outcome {
        @Override
        public Kind kind() {
            return Kind.QUEUED;
        }
    }

    record Cancelled() implements Outcome {
        @Override
        public Kind kind() {
            return Kind.CANCELLED;
        }
    }

    record Released() implements Outcome {
        @Override
        public Kind kind() {
            return Kind.RELEASED;
        }
    }

    record Refused(ErrorCode code) implements Outcome {
        @Override
        public Kind kind() {
            return Kind.REFUSED;
        }
    }

    /** A command of the leader itself took effect. */
    record Done() implements Outcome {
        @Override
        public Kind kind() {
            return Kind.DONE;
        }
    }

    /** The leader decided on something that had changed when its command was applied. */
    record Overtaken() implements Outcome {
        @Override
        public Kind kind() {
            return Kind.OVERTAKEN;
        }
    }

    Kind kind();

    enum Kind {
        SESSION_OPENED,
        SESSION_CLOSED,
        GRANTED,
        QUEUED,
        CANCELLED,
        RELEASED,
        REFUSED,
        DONE,
        OVERTAKEN
    }
}
