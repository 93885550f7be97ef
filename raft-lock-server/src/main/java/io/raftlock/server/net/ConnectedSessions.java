package io.raftlock.server.net;

import io.raftlock.protocol.Response;
import io.raftlock.protocol.ResponseFrame;
import io.raftlock.protocol.SessionId;
import io.raftlock.server.session.LeaderTime;

import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/** The sessions that speak to this node, while it leads. For use by any thread. */
public final class ConnectedSessions {
    private final LeaderTime time;
    private final Map<SessionId, SessionLine> lines = new ConcurrentHashMap<>();

    public ConnectedSessions(LeaderTime time) {
        this.time = time;
    }

    /** Returns when, in leader time, the session was last heard on this node; empty if never. */
    public OptionalLong lastHeardNanos(SessionId session) {
        SessionLine line = lines.get(session);
        return line == null ? OptionalLong.empty() : OptionalLong.of(line.heardNanos());
    }

    /** Makes the connection the one that speaks for the session, in place of any other. */
    SessionLine attach(SessionId session, ClientConnection connection) {
        long leaderNanos = time.at(System.nanoTime());
        return lines.compute(
                session,
                (same, known) -> {
                    if (known == null) {
                        return new SessionLine(connection, leaderNanos);
                    }
                    known.connect(connection, leaderNanos);
                    return known;
                });
    }

    boolean isOpen(SessionId session, SessionLine line) {
        return lines.get(session) == line;
    }

    void remove(SessionId session) {
        lines.remove(session);
    }

    /** Forgets all sessions: another node leads, and hears them. */
    void clear() {
        lines.clear();
    }

    /** Adds a push for the session's connection, if it has one; it goes out with its next flush. */
    void push(SessionId session, Response response, PendingFlushes flushes) {
        SessionLine line = lines.get(session);
        ClientConnection connection = line == null ? null : line.connection();
        if (connection != null) {
            connection.add(new ResponseFrame(ResponseFrame.PUSH, response));
            flushes.add(connection);
        }
    }
}
