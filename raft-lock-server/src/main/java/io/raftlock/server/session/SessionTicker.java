package io.raftlock.server.session;

import io.raftlock.protocol.SessionId;
import io.raftlock.server.lock.SessionRecord;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Decides, while this node leads, which sessions and leases have run out, and confirms keep-alives.
 * Owned by the tick thread: other threads post to it. Time comes in as an argument.
 */
public final class SessionTicker {
    /** How often it looks at sessions and leases. */
    public static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** A tick that is later than this shows that the process did not run. */
    private static final long LATE_NANOS = 2 * TICK_NANOS;

    private static final long MAX_QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** So much leader time at most passes without a look, though every tick should be late. */
    private static final long MAX_UNSEEN_NANOS = 10 * TICK_NANOS;

    private final TickerPort port;
    private final ClusterClock clock;
    private final LeaderTime time;
    private final Executor tickThread;
    private @Nullable LeaderTerm leading;
    private long lastTickNanos;

    /** Until when, by the monotonic clock, nothing is ended, so that the sockets can be read. */
    private long quietUntilNanos;

    /** Leader time when expired sessions were last looked for. */
    private long lookedAtNanos;

    /**
     * Makes the ticker of a node that does not lead yet.
     *
     * @param tickThread runs tasks on the thread that owns this ticker, in order
     * @param nowNanos the monotonic clock at this moment
     */
    public SessionTicker(
            TickerPort port,
            ClusterClock clock,
            LeaderTime time,
            Executor tickThread,
            long nowNanos) {
        this.port = port;
        this.clock = clock;
        this.time = time;
        this.tickThread = tickThread;
        lastTickNanos = nowNanos;
        quietUntilNanos = nowNanos;
        notice(nowNanos);
    }

    /**
     * This node leads from here on. It has not heard the keep-alives that its predecessor heard, so
     * every session gets its whole TTL again, but for those that were noted silent: a lock may
     * become free late after a failover, never while its holder lives.
     */
    public void lead(long term, List<SessionRecord> sessions, long nowNanos) {
        follow();
        notice(nowNanos);
        LeaderTerm next = new LeaderTerm(term, port, tickThread, nowNanos);
        long leaderNanos = time.at(nowNanos);
        lookedAtNanos = leaderNanos;
        long clockMillis = clock.millis(nowNanos);
        sessions.forEach(open -> next.sessionTakenOver(open, clockMillis, leaderNanos));
        leading = next;
    }

    /** This node leads no more: whoever waits for it to confirm something is sent away. */
    public void follow() {
        if (leading != null) {
            leading.end();
            leading = null;
        }
    }

    public void sessionStarted(SessionId session, long ttlMillis, long nowNanos) {
        if (leading != null) {
            leading.sessionStarted(session, ttlMillis, time.at(nowNanos));
        }
    }

    public void sessionEnded(SessionId session) {
        if (leading != null) {
            leading.sessionEnded(session);
        }
    }

    /** Answers after a round of the majority that starts later than this call. */
    public void keepAlive(SessionId session, KeepAliveReply reply) {
        if (leading == null) {
            reply.unconfirmed();
        } else {
            leading.keepAlive(session, reply);
        }
    }

    /**
     * Does what is due. To be called after whatever else happens here. Returns in how many
     * nanoseconds it wants to be called again though nothing happens, at most {@link #TICK_NANOS}.
     */
    public long turn(long nowNanos) {
        if (nowNanos - lastTickNanos >= TICK_NANOS) {
            tick(nowNanos);
        }
        long toTickNanos = lastTickNanos + TICK_NANOS - nowNanos;
        return leading == null ? toTickNanos : leading.confirm(nowNanos, toTickNanos);
    }

    private void tick(long nowNanos) {
        notice(nowNanos);
        if (leading == null) {
            return;
        }
        leading.raiseFormat();
        reviewSessions(leading, nowNanos);
        long clockMillis = clock.millis(nowNanos);
        leading.expireHolds(clockMillis);
        leading.stamp(clockMillis);
    }

    private void reviewSessions(LeaderTerm term, long nowNanos) {
        long leaderNanos = time.at(nowNanos);
        if (nowNanos - quietUntilNanos >= 0 || leaderNanos - lookedAtNanos > MAX_UNSEEN_NANOS) {
            lookedAtNanos = leaderNanos;
            term.reviewSessions(leaderNanos);
        }
    }

    /** Takes the time out in which this thread did not run. */
    private void notice(long nowNanos) {
        long latenessNanos = nowNanos - lastTickNanos - TICK_NANOS;
        boolean isLate = latenessNanos > LATE_NANOS;
        lastTickNanos = nowNanos;
        time.ticked(nowNanos, isLate ? latenessNanos : 0, TICK_NANOS + LATE_NANOS);
        if (isLate) {
            quietUntilNanos = nowNanos + Math.min(latenessNanos, MAX_QUIET_NANOS);
        }
    }
}
