package io.raftlock.server.net;

import io.raftlock.protocol.Response;
import io.raftlock.server.lock.Applied;
import io.raftlock.server.lock.Notice;
import io.raftlock.server.raft.ReplicatedLog;
import io.raftlock.server.session.ClusterClock;
import io.raftlock.server.session.LeaderTime;

/** All that clients see of the node: told by the apply thread what the log does. */
public final class FrontEnd {
    private final ConnectedSessions sessions;
    private final LeaderTime time;
    private final PendingFlushes flushes = new PendingFlushes();
    private final RequestRouter router;

    public FrontEnd(
            NodeFacts facts,
            ReplicatedLog log,
            ClusterClock clock,
            LeaderTime time,
            ConnectedSessions sessions,
            KeepAlives keepAlives) {
        this.sessions = sessions;
        this.time = time;
        router = new RequestRouter(facts, log, clock, sessions, keepAlives, flushes);
    }

    ClientConnection connection() {
        return new ClientConnection(router, time);
    }

    /** Tells those whom an entry concerns, other than the senders of its commands. */
    public void applied(Applied applied) {
        applied.notices().forEach(this::tell);
    }

    private void tell(Notice notice) {
        switch (notice.kind()) {
            case SESSION_STARTED -> {}
            case SESSION_ENDED -> tell((Notice.SessionEnded) notice);
            case WAITER_GRANTED -> tell((Notice.WaiterGranted) notice);
            case HOLD_ENDED -> tell((Notice.HoldEnded) notice);
        }
    }

    private void tell(Notice.SessionEnded ended) {
        sessions.push(
                ended.session(),
                new Response.SessionEnded(ended.session(), ended.reason()),
                flushes);
        sessions.remove(ended.session());
    }

    private void tell(Notice.WaiterGranted granted) {
        sessions.push(
                granted.session(),
                router.granted(granted.number(), granted.token(), granted.deadlineMillis()),
                flushes);
    }

    private void tell(Notice.HoldEnded ended) {
        sessions.push(
                ended.session(),
                new Response.HoldEnded(ended.number(), ended.token(), ended.reason()),
                flushes);
    }

    /** Writes what has gathered since the last call. */
    public void flush() {
        flushes.flushAll();
    }

    /** A node leads, this one or another: clients that wait here for word of it are told. */
    public void leaderHeard() {
        router.leaderHeard();
    }

    /** This node leads no more: its clients have to look for the new leader. */
    public void leaderStopped() {
        // In this order: who attaches in between sees that its session is forgotten, or is
        // detached.
        sessions.clear();
        router.leaderLost();
    }
}
