package io.raftlock.server.session;

import io.raftlock.server.lock.Command;

import java.util.function.Consumer;

/** Where a leader's own commands go, in its term or not at all. */
@FunctionalInterface
interface Proposals {
    /** The result comes once, on the tick thread, unless the term is over before. */
    void propose(Command command, Consumer<ProposalResult> result);
}
