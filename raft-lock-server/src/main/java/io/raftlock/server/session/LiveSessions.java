package io.raftlock.server.session;

import io.raftlock.protocol.SessionId;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/** The open sessions, each with the leader time at which it has to be looked at again. */
final class LiveSessions {
    /**
     * One session.
     *
     * @param sinceNanos from when on this leader listens to it
     * @param givenNanos before which it is not ended, though nothing should be heard of it
     * @param atNanos when to look at it again
     */
    record Timer(SessionId session, long ttlNanos, long sinceNanos, long givenNanos, long atNanos) {
        Timer at(long nanos) {
            return new Timer(session, ttlNanos, sinceNanos, givenNanos, nanos);
        }
    }

    private final Map<SessionId, Timer> byId = new HashMap<>();

    // Monotonic times are compared by their difference: they may overflow.
    private final TreeSet<Timer> inOrder =
            new TreeSet<>(
                    Comparator.comparing(Timer::atNanos, (a, b) -> Long.signum(a - b))
                            .thenComparingLong(timer -> timer.session().value()));

    void set(Timer timer) {
        remove(timer.session());
        byId.put(timer.session(), timer);
        inOrder.add(timer);
    }

    void remove(SessionId session) {
        Timer known = byId.remove(session);
        if (known != null) {
            inOrder.remove(known);
        }
    }

    /** Returns the session to look at next, if its time has come. */
    @Nullable Timer due(long nowNanos) {
        Timer first = inOrder.isEmpty() ? null : inOrder.first();
        return first != null && first.atNanos() - nowNanos <= 0 ? first : null;
    }
}
