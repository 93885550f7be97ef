package io.raftlock.server.raft;

import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.LockStateMachine;

import java.util.function.Consumer;
import java.util.function.Function;

/** The log and the state it makes, as the rest of the node sees them. For use by any thread. */
public interface ReplicatedLog {

    /**
     * Asks for the command to be appended in the term in which this node leads now. Returns at
     * once; the verdict comes exactly once, on the apply thread or a thread of the engine, which it
     * must not block.
     */
    void propose(Command command, Consumer<Verdict> verdict);

    /** Like {@link #propose(Command, Consumer)}, but appended in that term or not at all. */
    void propose(long term, Command command, Consumer<Verdict> verdict);

    /**
     * Asks a majority whether this node leads still, by messages sent after this call. Returns at
     * once; the answer comes exactly once, within seconds, on a thread of the engine. True says
     * that when this was called no other node had led in a later term, and that all which was
     * committed by then is applied here.
     */
    void confirmLeadership(Consumer<Boolean> confirmed);

    /**
     * Whether this node leads and takes proposals: may be out of date. Cheap: asked per request.
     */
    boolean isLeading();

    /** What this node knows of who leads: may be out of date. */
    Leadership leadership();

    /**
     * Returns the newest format of entries and snapshots that all members have said they read, or 0
     * as long as one of them has not said it.
     */
    int formatOfAll();

    /** Reads the state between two entries. Nothing is applied meanwhile, so it must be short. */
    <T> T read(Function<LockStateMachine, T> reader);
}
