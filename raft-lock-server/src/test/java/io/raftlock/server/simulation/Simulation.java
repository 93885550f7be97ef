package io.raftlock.server.simulation;

import static io.raftlock.server.simulation.Violation.require;

import io.raftlock.protocol.LockName;
import io.raftlock.server.lock.LockStateMachine;
import io.raftlock.server.lock.Snapshot;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs one schedule: first everything goes wrong that is in it, then nothing does any more. */
final class Simulation {
    /** What one run did. */
    record Result(long steps, long entries, long grants, long trueMillis) {}

    private static final long CALM_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long AFTER_FAULTS_MILLIS = 1_500;

    private final Timeline timeline = new Timeline();
    private final Schedule schedule;
    private final SimCluster cluster;
    private final SimNetwork network;
    private final List<SimClient> clients = new ArrayList<>();
    private final List<LockName> locks = new ArrayList<>();
    private final boolean quiet;
    private boolean faultsOver;

    private Simulation(Schedule schedule) {
        this.schedule = schedule;
        Chance chance = new Chance(schedule.seed());
        quiet = chance.percent(35);
        network = new SimNetwork(timeline, chance);
        cluster = new SimCluster(timeline, chance, network, schedule.nodes());
        cluster.pushes = notice -> clients.forEach(client -> client.pushed(notice));
        for (int lock = 0; lock < schedule.locks(); lock++) {
            locks.add(new LockName("lock-" + lock));
        }
        for (int client = 0; client < schedule.clients(); client++) {
            clients.add(new SimClient(this, cluster));
        }
    }

    static Result run(Schedule schedule) {
        return new Simulation(schedule).run();
    }

    List<LockName> locks() {
        return locks;
    }

    /** Whether most of the clients say little. */
    boolean isQuiet() {
        return quiet;
    }

    private Result run() {
        long at = 500;
        for (Fault fault : schedule.faults()) {
            at += fault.afterMillis();
            timeline.inMillis(at, () -> inflict(fault));
        }
        timeline.inMillis(at + AFTER_FAULTS_MILLIS, () -> faultsOver = true);
        while (!faultsOver) {
            step();
        }
        finish();
        return new Result(
                timeline.steps(),
                cluster.history.entries(),
                cluster.history.grants(),
                TimeUnit.NANOSECONDS.toMillis(timeline.nowNanos()));
    }

    private void step() {
        timeline.step();
        clients.forEach(SimClient::checkBeliefs);
    }

    private void inflict(Fault fault) {
        SimNode node = cluster.nodes.get(fault.target() % cluster.nodes.size());
        switch (fault.kind()) {
            case ELECT -> cluster.elect(node);
            case CRASH -> node.crash(fault.millis());
            case PAUSE -> node.pause(fault.millis());
            case ISOLATE -> node.isolate(fault.millis());
            case LAG -> node.lag(fault.millis());
            case SNAPSHOT -> node.save();
            case INSTALL -> install(node);
            case KILL_CLIENT -> replaceClient(fault.target() % clients.size());
            case LOSSY -> network.loseMost(fault.millis());
            case STALL -> cluster.stall(fault.millis());
            case REFUSE -> cluster.refuse(fault.millis());
            case BLACKOUT -> cluster.nodes.forEach(each -> each.crash(fault.millis()));
        }
    }

    private void install(SimNode node) {
        if (cluster.leader() != null) {
            node.install(cluster.leader());
        }
    }

    private void replaceClient(int index) {
        clients.get(index).kill();
        clients.add(new SimClient(this, cluster));
    }

    /** With the faults over, everybody is served and nothing is left (E42). */
    private void finish() {
        network.calmDown();
        cluster.nodes.forEach(SimNode::heal);
        clients.forEach(SimClient::finish);
        long deadline = timeline.nowNanos() + CALM_NANOS;
        while (!isDone()) {
            require(
                    timeline.nowNanos() < deadline,
                    "after a minute without faults there is left: %s",
                    cluster.leader() == null ? "no leader" : cluster.leader().machine().snapshot());
            for (int some = 0; some < 50; some++) {
                step();
            }
        }
        checkNodesAgree();
    }

    private boolean isDone() {
        return clients.stream().allMatch(SimClient::isFinished)
                && cluster.leader() != null
                && cluster.leader().isWorking()
                && cluster.leader().machine().sessionCount() == 0;
    }

    private void checkNodesAgree() {
        long last = cluster.commitIndex();
        Snapshot state = null;
        for (SimNode node : cluster.nodes) {
            node.applyTo(last);
            LockStateMachine machine = node.machine();
            require(machine.holdCount() == 0, "a hold is left");
            require(machine.waiterCount() == 0, "a waiter is left");
            require(!machine.hasDeadlines(), "a deadline is left");
            require(machine.snapshot().locks().isEmpty(), "a lock is left");
            require(
                    state == null || state.equals(machine.snapshot()),
                    "two nodes differ at the end");
            state = machine.snapshot();
        }
    }
}
