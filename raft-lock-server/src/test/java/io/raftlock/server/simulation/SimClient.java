package io.raftlock.server.simulation;

import static io.raftlock.server.simulation.Violation.require;

import io.raftlock.protocol.LockName;
import io.raftlock.server.lock.Notice;

import java.util.ArrayList;
import java.util.List;

/** A client program: it opens a session, lets some threads lock and unlock, and closes. */
final class SimClient {
    final SimCluster cluster;
    final Timeline timeline;
    final Chance chance;
    final Simulation simulation;
    final DriftingClock clock;
    private final List<SimSession> sessions = new ArrayList<>();
    private final int threads;
    private final long ttlMillis;
    private boolean dead;
    private boolean finishing;

    SimClient(Simulation simulation, SimCluster cluster) {
        this.simulation = simulation;
        this.cluster = cluster;
        timeline = cluster.timeline;
        chance = cluster.chance;
        DriftingClock any = chance.clock();
        clock = new DriftingClock(any.rate(), 0);
        threads = (int) chance.between(1, 3);
        ttlMillis = chance.between(600, chance.percent(60) ? 2_000 : 12_000);
        openSession();
    }

    long now() {
        return clock.at(timeline.nowNanos());
    }

    boolean isDead() {
        return dead;
    }

    boolean isFinishing() {
        return finishing;
    }

    void openSession() {
        sessions.add(new SimSession(this, threads, ttlMillis));
    }

    void kill() {
        dead = true;
    }

    /** Lets the threads end what they do, and start nothing new. */
    void finish() {
        finishing = true;
    }

    boolean isFinished() {
        return dead || finishing && sessions.stream().allMatch(SimSession::isClosed);
    }

    void pushed(Notice notice) {
        if (!dead && notice instanceof Notice.WaiterGranted granted) {
            sessions.forEach(session -> session.pushed(granted));
        }
    }

    /** No client believes that it holds a lock that the log has given to another. */
    void checkBeliefs() {
        if (!dead) {
            sessions.forEach(SimSession::checkBeliefs);
        }
    }

    List<LockName> locks() {
        return simulation.locks();
    }

    static void requireHeld(History history, SimThread thread) {
        require(
                thread.isReallyHeld(history),
                "%s believes that it holds %s, which is held by %s",
                thread,
                thread.name(),
                history.holder(thread.name()));
    }
}
