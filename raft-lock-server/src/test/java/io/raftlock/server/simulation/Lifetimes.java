package io.raftlock.server.simulation;

import static io.raftlock.server.simulation.Violation.require;

import io.raftlock.protocol.SessionId;
import io.raftlock.server.lock.LockRecord;
import io.raftlock.server.lock.SessionRecord;
import io.raftlock.server.lock.Snapshot;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * How long sessions and holds live at one node, in true time, which only the simulation knows: not
 * too short, and not too long.
 */
final class Lifetimes {
    private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(2_600);
    private static final long LONGEST_GRACE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final Timeline timeline;
    private final Map<SessionId, Long> arrivals = new HashMap<>();
    private long leadsSinceNanos;
    private Set<SessionId> silentWhenTakenOver = Set.of();
    private long disturbedUntilNanos;

    Lifetimes(Timeline timeline) {
        this.timeline = timeline;
    }

    /** What a new leader gives a session at least that was noted silent. */
    static long graceNanos(long ttlNanos) {
        return Math.min(LONGEST_GRACE_NANOS, ttlNanos / 4);
    }

    /** Something of the session has reached the machine. */
    void arrived(SessionId session) {
        arrivals.put(session, timeline.nowNanos());
    }

    void leads(Set<SessionId> silent) {
        leadsSinceNanos = timeline.nowNanos();
        silentWhenTakenOver = silent;
    }

    void disturbed() {
        disturbedUntilNanos = timeline.nowNanos();
    }

    /**
     * A session is ended only if nothing of it has come for its whole TTL (H5), or for the grace
     * that it got as one that was silent before.
     */
    void checkSilence(SessionId session, long ttlMillis) {
        long heard = arrivals.getOrDefault(session, 0L);
        long since = Math.max(leadsSinceNanos, heard);
        long ttl = TimeUnit.MILLISECONDS.toNanos(ttlMillis);
        boolean wasSilent = silentWhenTakenOver.contains(session) && heard < leadsSinceNanos;
        long given = wasSilent ? graceNanos(ttl) : ttl;
        long silent = timeline.nowNanos() - since;
        require(
                silent >= given * 0.985 - TimeUnit.MILLISECONDS.toNanos(200),
                "session %s is to expire after %d ms of silence",
                session,
                TimeUnit.NANOSECONDS.toMillis(silent));
    }

    /** While a leader works, silent sessions and leases that ran out end (E30, H6). */
    void checkNobodyOutlivesItsTime(Snapshot state, long clockMillis, long othersCalmSinceNanos) {
        long now = timeline.nowNanos();
        long calmSince =
                Math.max(Math.max(leadsSinceNanos, disturbedUntilNanos), othersCalmSinceNanos);
        for (SessionRecord open : state.sessions()) {
            long since = Math.max(calmSince, arrivals.getOrDefault(open.id(), 0L));
            long ttl = TimeUnit.MILLISECONDS.toNanos(open.ttlMillis());
            require(
                    now - since <= ttl * 1.015 + GRACE_NANOS,
                    "session %s outlives its TTL by %d ms",
                    open.id(),
                    TimeUnit.NANOSECONDS.toMillis(now - since - ttl));
        }
        long overdue = clockMillis - TimeUnit.NANOSECONDS.toMillis(GRACE_NANOS);
        for (LockRecord lock : state.locks()) {
            long deadline = lock.hold().deadlineMillis();
            require(
                    deadline == 0 || deadline > overdue || now - calmSince < GRACE_NANOS,
                    "the hold of %s outlives its lease",
                    lock.name());
        }
    }
}
