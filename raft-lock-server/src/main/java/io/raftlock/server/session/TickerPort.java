package io.raftlock.server.session;

import io.raftlock.protocol.SessionId;
import io.raftlock.server.lock.Command;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** What the ticker needs of the node. Called on the tick thread; nothing here blocks. */
public interface TickerPort {

    /** Returns when, in leader time, this node last heard from the session; empty if never. */
    OptionalLong lastHeardNanos(SessionId session);

    /** Returns the position of the session's last command, or empty if there is no such session. */
    OptionalLong lastCommand(SessionId session);

    /** Returns the last stamp in the log, in milliseconds. */
    long appliedClockMillis();

    /** Whether anything ends by the cluster clock, so that the clock has to go on in the log. */
    boolean hasDeadlines();

    /** Whether all members are known to read commands of that kind. */
    boolean isReadByAll(Command.Kind kind);

    /** Returns the format that the log says all members read. */
    int appliedFormat();

    /** Returns the newest format that all members have said they read, as far as is known now. */
    int formatOfAll();

    /** Returns commands for the holds whose deadline is not after that, at most so many. */
    List<Command.ExpireHold> overdueHolds(long clockMillis, int limit);

    /** Proposes in that term or not at all. The verdict comes once, on any thread. */
    void propose(long term, Command command, Consumer<ProposalResult> result);

    /**
     * Asks a majority whether this node leads, by messages sent after this call. The answer comes
     * once, on any thread.
     */
    void confirmLeadership(Consumer<Boolean> confirmed);
}
