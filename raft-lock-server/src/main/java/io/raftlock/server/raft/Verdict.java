package io.raftlock.server.raft;

import io.raftlock.server.lock.Outcome;

/** What became of a proposal: done, refused without effect, or unknown. */
public sealed interface Verdict {

    /** Committed and applied. The outcome can itself be a refusal by the state machine. */
    record Done(Outcome outcome) implements Verdict {
        @Override
        public Kind kind() {
            return Kind.DONE;
        }
    }

    /** Not appended: this node does not lead, or leads in another term. */
    record NotLeader() implements Verdict {
        @Override
        public Kind kind() {
            return Kind.NOT_LEADER;
        }
    }

    /** Not appended: too much is under way. */
    record Busy() implements Verdict {
        @Override
        public Kind kind() {
            return Kind.BUSY;
        }
    }

    /** Appended by this node, which then lost sight of it: it may be committed, or become so. */
    record Unknown(String why) implements Verdict {
        @Override
        public Kind kind() {
            return Kind.UNKNOWN;
        }
    }

    Kind kind();

    enum Kind {
        DONE,
        NOT_LEADER,
        BUSY,
        UNKNOWN
    }
}
