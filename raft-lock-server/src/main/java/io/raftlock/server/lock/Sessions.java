package io.raftlock.server.lock;

import io.raftlock.protocol.SessionId;
import io.raftlock.protocol.SessionSecret;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;

/** The open sessions, in the order in which the log opened them. */
final class Sessions {
    static final int MAX_SESSIONS = 1_000_000;

    private final LinkedHashMap<SessionId, Session> byId = new LinkedHashMap<>();
    private final LinkedHashMap<SessionSecret, Session> bySecret = new LinkedHashMap<>();

    boolean isFull() {
        return byId.size() == MAX_SESSIONS;
    }

    int size() {
        return byId.size();
    }

    @Nullable Session find(SessionId id) {
        return byId.get(id);
    }

    @Nullable Session find(SessionSecret secret) {
        return bySecret.get(secret);
    }

    Session get(SessionId id) {
        Session found = byId.get(id);
        if (found == null) {
            throw new IllegalStateException("invariant broken: a claim's session is open");
        }
        return found;
    }

    void add(Session session) {
        Invariant.check(byId.put(session.id(), session) == null, "a session id is used once");
        Invariant.check(bySecret.put(session.secret(), session) == null, "a secret is used once");
    }

    void remove(Session session) {
        byId.remove(session.id());
        bySecret.remove(session.secret());
    }

    List<SessionRecord> copy() {
        return byId.values().stream().map(Session::copy).toList();
    }
}
