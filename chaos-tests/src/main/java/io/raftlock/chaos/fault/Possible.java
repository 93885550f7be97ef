package io.raftlock.chaos.fault;

import io.raftlock.chaos.host.Capabilities;
import io.raftlock.chaos.host.Capability;
import io.raftlock.chaos.net.Network;
import io.raftlock.chaos.schedule.FaultKind;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What of all faults can be done on this machine in this layout, and why the rest cannot. */
public final class Possible {
    private final Capabilities machine;
    private final Set<Network.Ability> network;
    private final boolean hasDisks;

    /**
     * @param hasDisks whether each node has a disk of its own
     */
    public Possible(Capabilities machine, Set<Network.Ability> network, boolean hasDisks) {
        this.machine = machine;
        this.network = Set.copyOf(network);
        this.hasDisks = hasDisks;
    }

    /** Returns the faults that can be done. */
    public Set<FaultKind> kinds() {
        Set<FaultKind> kinds = EnumSet.allOf(FaultKind.class);
        kinds.removeAll(missing().keySet());
        return kinds;
    }

    /** Returns the faults that cannot be done, each with the reason in a sentence. */
    public Map<FaultKind, String> missing() {
        Map<FaultKind, String> missing = new EnumMap<>(FaultKind.class);
        for (FaultKind kind : FaultKind.values()) {
            whyNot(kind).ifPresent(why -> missing.put(kind, why));
        }
        return missing;
    }

    private Optional<String> whyNot(FaultKind kind) {
        return switch (kind) {
            case KILL, STOP, PAUSE, CLIENT_KILL, CLIENT_STOP, SNAPSHOT_INSTALL, STARVE ->
                    Optional.empty();
            case FREEZE -> unless(Capability.FREEZER);
            case ISOLATE,
                    HALVES,
                    BRIDGE,
                    RING,
                    DEAF,
                    MUTE,
                    ONE_WAY,
                    STRAND,
                    JAM,
                    CLIENT_CUT,
                    SWIZZLE ->
                    unless(Network.Ability.CUT);
            case RESET, RESET_STORM -> unless(Network.Ability.RESET);
            case LOSS -> unless(Network.Ability.LOSS);
            case DUPLICATE -> unless(Network.Ability.DUPLICATION);
            case DELAY -> unless(Network.Ability.DELAY);
            case THROTTLE -> unless(Network.Ability.THROTTLE);
            case WALL_JUMP,
                    WALL_STROBE,
                    CLOCK_RATE,
                    CLOCK_JUMP,
                    CLOCK_EPOCH,
                    SLOW_DISK,
                    SYNC_ERROR,
                    DISK_FULL ->
                    unless(Capability.SHIMS);
            case STALL_DISK -> unless(hasDisks ? Capability.DISK_FREEZE : Capability.SHIMS);
            case DEAD_DISK, POWER_CUT ->
                    hasDisks
                            ? Optional.empty()
                            : Optional.of(
                                    "needs a disk of its own for each node: "
                                            + machine.whyNot(Capability.LOOP_DISKS));
        };
    }

    private Optional<String> unless(Capability capability) {
        return machine.has(capability) ? Optional.empty() : Optional.of(machine.whyNot(capability));
    }

    private Optional<String> unless(Network.Ability ability) {
        return network.contains(ability)
                ? Optional.empty()
                : Optional.of("this layout's network has no " + ability);
    }
}
