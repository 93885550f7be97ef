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
    private int notedSilent;

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
        notedSilent += session.isNotedSilent() ? 1 : 0;
        Invariant.check(byId.put(session.id(), session) == null, "a session id is used once");
        Invariant.check(bySecret.put(session.secret(), session) == null, "a secret is used once");
    }

    void remove(Session session) {
        notedSilent -= session.isNotedSilent() ? 1 : 0;
        byId.remove(session.id());
        bySecret.remove(session.secret());
    }

    boolean anyNotedSilent() {
        return notedSilent > 0;
    }

    void noteSilent(Session session, long deadlineMillis) {
        notedSilent++;
        session.silentUntil(deadlineMillis);
    }

    void spoke(Session session, LogPosition at) {
        notedSilent -= session.isNotedSilent() ? 1 : 0;
        session.spoke(at);
    }

    List<SessionRecord> copy() {
        return byId.values().stream().map(Session::copy).toList();
    }
}
