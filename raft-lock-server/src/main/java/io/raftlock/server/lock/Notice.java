package io.raftlock.server.lock;

import io.raftlock.protocol.EndReason;
import io.raftlock.protocol.SessionId;

/** What others than the sender of a command have to be told of its effect. */
public sealed interface Notice {

    record SessionStarted(SessionId session, long ttlMillis) implements Notice {
        @Override
        public Kind kind() {
            return Kind.SESSION_STARTED;
        }
    }

    record SessionEnded(SessionId session, EndReason reason) implements Notice {
        @Override
        public Kind kind() {
            return Kind.SESSION_ENDED;
        }
    }

    /** The acquire of that number, which waited, holds its lock now. */
    record WaiterGranted(SessionId session, long number, long token, long deadlineMillis)
            implements Notice {
        @Override
        public Kind kind() {
            return Kind.WAITER_GRANTED;
        }
    }

    /** A hold ended that its owner did not release. */
    record HoldEnded(SessionId session, long number, long token, EndReason reason)
            implements Notice {
        @Override
        public Kind kind() {
            return Kind.HOLD_ENDED;
        }
    }

    SessionId session();

    Kind kind();

    enum Kind {
        SESSION_STARTED,
        SESSION_ENDED,
        WAITER_GRANTED,
        HOLD_ENDED
    }
}
