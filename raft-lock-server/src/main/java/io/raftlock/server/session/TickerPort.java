package io.raftlock.server.session;

import io.raftlock.protocol.SessionId;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.LockStateMachine;

import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;

/** What the ticker needs of the node. Called on the tick thread; nothing here blocks. */
public interface TickerPort {

    /** Returns when, in leader time, this node last heard from the session; empty if never. */
    OptionalLong lastHeardNanos(SessionId session);

    /** Reads the state between two entries. Nothing is applied meanwhile, so it must be short. */
    <T> T read(Function<LockStateMachine, T> reader);

    /** Returns the newest format that all members have said they read, as far as is known now. */
    int formatOfAll();

    /** Proposes in that term or not at all. The verdict comes once, on any thread. */
    void propose(long term, Command command, Consumer<ProposalResult> result);

    /**
     * Asks a majority whether this node leads, by messages sent after this call. The answer comes
     * once, on any thread.
     */
    void confirmLeadership(Consumer<Boolean> confirmed);
}
