package io.raftlock.server;

import io.raftlock.protocol.SessionId;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.LockStateMachine;
import io.raftlock.server.net.ConnectedSessions;
import io.raftlock.server.raft.ReplicatedLog;
import io.raftlock.server.raft.Verdict;
import io.raftlock.server.session.ProposalResult;
import io.raftlock.server.session.TickerPort;

import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The ticker's view of the node: the log that it proposes to, the connections that it listens to.
 */
final class NodeTickerPort implements TickerPort {
    private final ReplicatedLog log;
    private final ConnectedSessions sessions;

    NodeTickerPort(ReplicatedLog log, ConnectedSessions sessions) {
        this.log = log;
        this.sessions = sessions;
    }

    @Override
    public OptionalLong lastHeardNanos(SessionId session) {
        return sessions.lastHeardNanos(session);
    }

    @Override
    public <T> T read(Function<LockStateMachine, T> reader) {
        return log.read(reader);
    }

    @Override
    public int formatOfAll() {
        return log.formatOfAll();
    }

    @Override
    public void propose(long term, Command command, Consumer<ProposalResult> result) {
        log.propose(term, command, verdict -> result.accept(result(verdict)));
    }

    private static ProposalResult result(Verdict verdict) {
        return switch (verdict.kind()) {
            case DONE -> ProposalResult.APPLIED;
            case NOT_LEADER, BUSY -> ProposalResult.NOT_APPENDED;
            case UNKNOWN -> ProposalResult.UNKNOWN;
        };
    }

    @Override
    public void confirmLeadership(Consumer<Boolean> confirmed) {
        log.confirmLeadership(confirmed);
    }
}
