package io.raftlock.server.lock;

import io.raftlock.protocol.ClientMetadata;
import io.raftlock.protocol.SessionId;
import io.raftlock.protocol.SessionSecret;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.TreeMap;

/** A client's presence: whatever it holds and awaits ends with it. */
final class Session {
    private final SessionId id;
    private final SessionSecret secret;
    private final long ttlMillis;
    private final ClientMetadata metadata;
    private final AnsweredRequests requests;
    private long lastCommand;
    private long deadlineMillis;

    /** What the session holds and awaits, by the number of the acquire. */
    private final TreeMap<Long, Claim> claims = new TreeMap<>();

    Session(SessionId id, Command.OpenSession open) {
        this.id = id;
        secret = open.secret();
        ttlMillis = open.ttlMillis();
        metadata = open.metadata();
        requests = new AnsweredRequests();
        lastCommand = id.value();
    }

    Session(SessionRecord saved) {
        id = saved.id();
        secret = saved.secret();
        ttlMillis = saved.ttlMillis();
        metadata = saved.metadata();
        requests = new AnsweredRequests(saved);
        lastCommand = saved.lastCommand();
        deadlineMillis = saved.deadlineMillis();
    }

    SessionId id() {
        return id;
    }

    SessionSecret secret() {
        return secret;
    }

    long ttlMillis() {
        return ttlMillis;
    }

    AnsweredRequests requests() {
        return requests;
    }

    long lastCommand() {
        return lastCommand;
    }

    void spoke(LogPosition at) {
        lastCommand = at.value();
        deadlineMillis = 0;
    }

    boolean isNotedSilent() {
        return deadlineMillis != 0;
    }

    /** Sets when the session's time is over on the cluster clock, unless it speaks before. */
    void silentUntil(long millis) {
        deadlineMillis = millis;
    }

    @Nullable Claim claim(long number) {
        return claims.get(number);
    }

    void add(Claim claim) {
        Invariant.check(claims.put(claim.number(), claim) == null, "a request claims once");
    }

    void remove(Claim claim) {
        Invariant.check(claims.remove(claim.number()) != null, "a claim is known to its session");
    }

    List<Claim> claims() {
        return List.copyOf(claims.values());
    }

    SessionRecord copy() {
        return new SessionRecord(
                id,
                secret,
                ttlMillis,
                metadata,
                lastCommand,
                deadlineMillis,
                requests.answeredUpTo(),
                requests.copy());
    }
}
