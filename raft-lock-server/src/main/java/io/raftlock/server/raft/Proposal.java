package io.raftlock.server.raft;

import io.raftlock.server.format.EntryCodec;
import io.raftlock.server.lock.Command;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.function.Consumer;

/** A command on its way into the log. */
final class Proposal {
    private static final Logger LOG = LoggerFactory.getLogger(Proposal.class);

    private final long term;
    private final Command command;
    private final byte[] bytes;
    private final Consumer<Verdict> verdict;

    /**
     * Encodes the command, on the thread that proposes it.
     *
     * @param term in which it may be appended
     */
    Proposal(long term, Command command, Consumer<Verdict> verdict) {
        this.term = term;
        this.command = command;
        this.verdict = verdict;
        bytes = EntryCodec.encode(command);
    }

    long term() {
        return term;
    }

    Command command() {
        return command;
    }

    byte[] bytes() {
        return bytes;
    }

    Consumer<Verdict> verdict() {
        return verdict;
    }

    void settle(Verdict given) {
        settle(verdict, given);
    }

    /** Gives the verdict. What the receiver throws must not reach the neighbours in the entry. */
    static void settle(Consumer<Verdict> verdict, Verdict given) {
        try {
            verdict.accept(given);
        } catch (RuntimeException failure) {
            LOG.error("The receiver of a verdict failed", failure);
        }
    }
}
