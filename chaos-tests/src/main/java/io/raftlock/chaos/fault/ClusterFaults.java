package io.raftlock.chaos.fault;

import io.raftlock.chaos.host.ProcessControl;
import io.raftlock.chaos.net.Shape;
import io.raftlock.chaos.schedule.Step;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Does each kind of fault with the tool for it. Owned by the driver's thread. */
public final class ClusterFaults implements Injector {
    private final NetworkFaults network;
    private final ProcessFaults processes;
    private final NodeFacts facts;
    private final Map<String, Gear> gears;

    ClusterFaults(
            NetworkFaults network,
            ProcessFaults processes,
            NodeFacts facts,
            Map<String, Gear> gears) {
        this.network = network;
        this.processes = processes;
        this.facts = facts;
        this.gears = Map.copyOf(gears);
    }

    /**
     * Returns the faults of one cluster.
     *
     * @param nodes names of their hosts
     * @param clients names of their hosts
     * @param gears by the names of all hosts
     */
    public static ClusterFaults of(
            LinkPlan links,
            ProcessControl control,
            NodeFacts facts,
            List<String> nodes,
            List<String> clients,
            Map<String, Gear> gears) {
        return new ClusterFaults(
                new NetworkFaults(links, nodes, clients), new ProcessFaults(control), facts, gears);
    }

    @Override
    public Active begin(Step step, Targets targets) {
        List<Gear> hit = targets.all().stream().map(this::gear).toList();
        List<Victim> victims = hit.stream().map(Gear::victim).toList();
        Duration amount = Duration.ofMillis(step.amount());
        return switch (step.kind()) {
            case KILL, CLIENT_KILL -> ProcessFaults.kill(victims);
            case STOP, CLIENT_STOP -> ProcessFaults.stop(victims);
            case PAUSE -> processes.pause(victims);
            case FREEZE -> processes.freeze(victims);
            case STARVE -> processes.starve(victims, step.amount());
            case ISOLATE -> network.isolate(targets);
            case HALVES -> network.halves(step.pick());
            case BRIDGE -> network.bridge(step.pick());
            case RING -> network.ring(step.pick());
            case DEAF -> network.deaf(targets);
            case MUTE -> network.mute(targets);
            case ONE_WAY -> network.oneWay(targets, step.pick());
            case STRAND -> network.strand(targets, step.pick());
            case JAM -> network.jam(targets);
            case CLIENT_CUT -> network.cutClients(targets);
            case LOSS -> network.shape(targets, Shape.loss(step.amount(), 0));
            case DUPLICATE -> network.shape(targets, Shape.loss(0, step.amount()));
            case DELAY -> network.shape(targets, Shape.delay(step.amount(), step.amount() / 2));
            case THROTTLE -> network.shape(targets, Shape.throttle(step.amount() * 1_000));
            case RESET -> network.reset(targets, false);
            case RESET_STORM -> network.reset(targets, true);
            case SWIZZLE -> network.swizzle(step);
            case WALL_JUMP -> ClockFaults.wallJump(hit, amount);
            case WALL_STROBE -> ClockFaults.wallStrobe(hit, amount);
            case CLOCK_RATE -> ClockFaults.rate(hit, step.amount());
            case CLOCK_JUMP -> ClockFaults.jump(hit, amount);
            case CLOCK_EPOCH -> epoch(hit, victims, amount);
            case SLOW_DISK -> DiskFaults.slow(hit, amount);
            case STALL_DISK -> DiskFaults.stall(hit.get(0), Duration.ofMillis(step.holdMillis()));
            case SYNC_ERROR -> DiskFaults.syncErrors(hit);
            case DISK_FULL -> DiskFaults.full(hit);
            case DEAD_DISK -> DiskFaults.dead(hit);
            case POWER_CUT -> DiskFaults.powerCut(hit, processes);
            case SNAPSHOT_INSTALL -> new SnapshotFault(victims.get(0), facts, step.holdMillis());
        };
    }

    /** A process that starts again finds a clock that has nothing to do with the one it knew. */
    private static Active epoch(List<Gear> gears, List<Victim> victims, Duration by) {
        return ProcessFaults.kill(
                victims, () -> gears.forEach(gear -> gear.requireClock().monotonicJump(by)));
    }

    private Gear gear(String host) {
        Gear gear = gears.get(host);
        if (gear == null) {
            throw new IllegalArgumentException("no process on " + host);
        }
        return gear;
    }
}
