package io.raftlock.chaos.run;

import io.raftlock.chaos.fault.Possible;
import io.raftlock.chaos.host.Capabilities;
import io.raftlock.chaos.host.Capability;
import io.raftlock.chaos.host.Cleanup;
import io.raftlock.chaos.host.LoopDisk;
import io.raftlock.chaos.host.NativeTools;
import io.raftlock.chaos.host.ProcessControl;
import io.raftlock.chaos.net.LoopbackNetwork;
import io.raftlock.chaos.net.NetnsNetwork;
import io.raftlock.chaos.net.Network;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a run has set up on the machine before any node of it runs: hosts, a network between them,
 * disks, tools. Closing it takes all of that down. Owned by the driver's thread.
 */
public final class Stage implements AutoCloseable {
    /** Name of the host from which the nodes are asked how they are. */
    static final String WATCH = "watch";

    /** Name of the host of the client that comes last. */
    static final String SWEEP = "sweep";

    private static final long DISK_BYTES = 1L << 30;

    private final Cleanup cleanup;
    private final Network network;
    private final ProcessControl control;
    private final Optional<NativeTools> tools;
    private final Map<String, LoopDisk> disks = new HashMap<>();

    private Stage(
            Cleanup cleanup, Capabilities machine, Network network, Optional<NativeTools> tools) {
        this.cleanup = cleanup;
        this.network = network;
        this.tools = tools;
        control = new ProcessControl(cleanup, machine);
    }

    /** Returns the layout that tells the most of what the machine can do. */
    public static Layout best(Capabilities machine) {
        return machine.has(Capability.NAMESPACES) && machine.has(Capability.PACKET_FILTER)
                ? Layout.NETNS
                : Layout.LOOPBACK;
    }

    /**
     * Sets up a stage.
     *
     * @param folder of the run
     * @throws IOException if files or addresses cannot be had
     * @throws IllegalStateException if the machine cannot do what the layout needs
     */
    static Stage build(
            Layout layout,
            Capabilities machine,
            Path folder,
            List<String> nodes,
            List<String> clients)
            throws IOException {
        Cleanup.afterCrash(Cleanup.defaultFolder());
        Cleanup cleanup = Cleanup.open(Cleanup.defaultFolder());
        try {
            return build(layout, cleanup, machine, folder, nodes, clients);
        } catch (IOException | RuntimeException failure) {
            cleanup.close();
            throw failure;
        }
    }

    private static Stage build(
            Layout layout,
            Cleanup cleanup,
            Capabilities machine,
            Path folder,
            List<String> nodes,
            List<String> clients)
            throws IOException {
        Optional<NativeTools> tools =
                machine.has(Capability.SHIMS)
                        ? Optional.of(NativeTools.compile(folder.resolve("native")))
                        : Optional.empty();
        List<String> others = new ArrayList<>(clients);
        others.add(WATCH);
        others.add(SWEEP);
        Stage stage =
                new Stage(
                        cleanup,
                        machine,
                        network(layout, cleanup, machine, folder, nodes, others),
                        tools);
        if (layout == Layout.NETNS && machine.has(Capability.LOOP_DISKS)) {
            nodes.forEach(node -> stage.addDisk(node, folder));
        }
        return stage;
    }

    private static Network network(
            Layout layout,
            Cleanup cleanup,
            Capabilities machine,
            Path folder,
            List<String> nodes,
            List<String> others)
            throws IOException {
        return switch (layout) {
            case NETNS -> {
                List<String> all = new ArrayList<>(nodes);
                all.addAll(others);
                yield NetnsNetwork.create(cleanup, machine, all, folder);
            }
            case LOOPBACK -> LoopbackNetwork.open(folder, nodes, others);
        };
    }

    private void addDisk(String node, Path folder) {
        disks.put(
                node,
                LoopDisk.create(
                        cleanup,
                        tools.orElseThrow(),
                        "disk-" + node,
                        LoopDisk.imageFolder(folder),
                        folder.resolve(node).resolve("disk"),
                        DISK_BYTES));
    }

    Cleanup cleanup() {
        return cleanup;
    }

    Network network() {
        return network;
    }

    ProcessControl control() {
        return control;
    }

    Optional<NativeTools> tools() {
        return tools;
    }

    Optional<LoopDisk> disk(String node) {
        return Optional.ofNullable(disks.get(node));
    }

    /** Returns what of the faults can be done on a machine in a layout. */
    static Possible possible(Layout layout, Capabilities machine) {
        return switch (layout) {
            case NETNS ->
                    new Possible(
                            machine,
                            NetnsNetwork.abilities(machine),
                            machine.has(Capability.LOOP_DISKS));
            case LOOPBACK -> new Possible(machine, LoopbackNetwork.ABILITIES, false);
        };
    }

    @Override
    public void close() {
        try {
            control.close();
            network.close();
        } finally {
            // Disks are among what is cleaned up, after the processes that use them.
            cleanup.close();
        }
    }
}
