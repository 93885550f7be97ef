package io.raftlock.server;

import io.raftlock.server.lock.Applied;
import io.raftlock.server.lock.Notice;
import io.raftlock.server.lock.Snapshot;
import io.raftlock.server.metrics.ServerMetrics;
import io.raftlock.server.net.FrontEnd;
import io.raftlock.server.raft.LogListener;
import io.raftlock.server.session.ClusterClock;
import io.raftlock.server.session.SessionTicker;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.Executor;

/** Passes on what the log does: to the tick thread, and to the clients. On the apply thread. */
final class NodeEvents implements LogListener {
    private static final Logger LOG = LoggerFactory.getLogger(NodeEvents.class);

    private final ClusterClock clock;
    private final SessionTicker ticker;
    private final Executor tickThread;
    private final FrontEnd frontEnd;
    private final ServerMetrics metrics;
    private boolean leading;

    NodeEvents(
            ClusterClock clock,
            SessionTicker ticker,
            Executor tickThread,
            FrontEnd frontEnd,
            ServerMetrics metrics) {
        this.clock = clock;
        this.ticker = ticker;
        this.tickThread = tickThread;
        this.frontEnd = frontEnd;
        this.metrics = metrics;
    }

    @Override
    public void leaderStarted(long term, Snapshot state) {
        long nowNanos = System.nanoTime();
        clock.start(state.clockMillis(), nowNanos);
        leading = true;
        tickThread.execute(() -> ticker.lead(term, state.sessions(), System.nanoTime()));
        LOG.info(
                "leads term {} from log index {} on, with {} sessions and {} locks held",
                term,
                state.appliedIndex(),
                state.sessions().size(),
                state.locks().size());
    }

    @Override
    public void leaderReady() {
        frontEnd.leaderHeard();
    }

    @Override
    public void leaderHeard(String memberId) {
        frontEnd.leaderHeard();
        LOG.info("follows {}", memberId);
    }

    @Override
    public void leaderStopped() {
        if (leading) {
            leading = false;
            clock.stop(System.nanoTime());
            tickThread.execute(ticker::follow);
            frontEnd.leaderStopped();
            LOG.info("leads no more");
        }
    }

    @Override
    public void applied(long index, Applied applied) {
        metrics.applied(applied);
        // Who does not lead has no connected sessions to tell, and nothing to time.
        if (leading) {
            applied.notices().forEach(this::time);
            frontEnd.applied(applied);
        }
    }

    private void time(Notice notice) {
        switch (notice.kind()) {
            case SESSION_STARTED -> {
                Notice.SessionStarted started = (Notice.SessionStarted) notice;
                tickThread.execute(
                        () ->
                                ticker.sessionStarted(
                                        started.session(), started.ttlMillis(), System.nanoTime()));
                LOG.info("session {} opened", started.session());
            }
            case SESSION_ENDED -> {
                Notice.SessionEnded ended = (Notice.SessionEnded) notice;
                tickThread.execute(() -> ticker.sessionEnded(ended.session()));
                LOG.info("session {} ended: {}", ended.session(), ended.reason());
            }
            case WAITER_GRANTED, HOLD_ENDED -> {}
        }
    }

    @Override
    public void batchEnded() {
        frontEnd.flush();
    }
}
