package io.raftlock.chaos.run;

import io.raftlock.chaos.client.ClientProcess;
import io.raftlock.chaos.client.ClientSetup;
import io.raftlock.chaos.client.WorkloadSpec;
import io.raftlock.chaos.fault.Cast;
import io.raftlock.chaos.fault.ClusterFaults;
import io.raftlock.chaos.fault.FaultTimeline;
import io.raftlock.chaos.fault.Gear;
import io.raftlock.chaos.fault.LinkPlan;
import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.host.ClockShim;
import io.raftlock.chaos.host.FsShim;
import io.raftlock.chaos.host.Shim;
import io.raftlock.chaos.net.Network;
import io.raftlock.chaos.node.ChaosNode;
import io.raftlock.chaos.node.NodeProgram;
import io.raftlock.chaos.node.NodeSettings;
import io.raftlock.chaos.node.StatusWatcher;
import io.raftlock.chaos.schedule.Schedule;
import io.raftlock.chaos.store.StoreDesk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The processes of a run: nodes, clients, and who watches them. Owned by the driver's thread. */
final class Troupe implements AutoCloseable {
    private static final Duration SNAPSHOT_INTERVAL = Duration.ofSeconds(2);
    private static final int SNAPSHOT_MARGIN = 200;
    private static final Duration WATCH_INTERVAL = Duration.ofMillis(200);

    private final Path folder;
    private final Stage stage;
    private final Consumer<Event> events;
    private final Map<String, NodeSeat> nodes = new LinkedHashMap<>();
    private final Map<String, ClientSeat> clients = new LinkedHashMap<>();
    private final Map<String, Gear> gears = new HashMap<>();
    private final ClientProcess sweeper;
    private final StatusWatcher watcher;

    /**
     * @param program that the nodes run
     * @param events told of what happens, by several threads
     */
    Troupe(
            Path folder,
            Stage stage,
            Schedule schedule,
            NodeProgram program,
            StoreDesk store,
            Consumer<Event> events)
            throws IOException {
        this.folder = folder;
        this.stage = stage;
        this.events = events;
        for (String host : hostNames(schedule)) {
            Files.createDirectories(folder.resolve(host));
        }
        for (String node : nodeNames(schedule)) {
            addNode(node, nodeNames(schedule), program);
        }
        AtomicLong lives = new AtomicLong();
        ClientProcess.Surroundings surroundings =
                new ClientProcess.Surroundings(System::nanoTime, this::onEvent, store);
        List<String> names = clientNames(schedule);
        for (int i = 0; i < names.size(); i++) {
            addClient(
                    names.get(i),
                    Clients.spec(schedule.clients().get(i)),
                    schedule.seed() + i,
                    lives,
                    surroundings);
        }
        sweeper =
                new ClientProcess(
                        stage.network().host(Stage.SWEEP),
                        setup(
                                Stage.SWEEP,
                                Clients.sweep(schedule.clients()),
                                schedule.seed(),
                                Optional.empty()),
                        lives::incrementAndGet,
                        surroundings);
        watcher =
                StatusWatcher.start(
                        stage.network().host(Stage.WATCH),
                        List.copyOf(nodes.keySet()),
                        WATCH_INTERVAL,
                        folder.resolve("watch.err"),
                        events);
        stage.cleanup().process(watcher.pid());
    }

    static List<String> nodeNames(Schedule schedule) {
        return IntStream.rangeClosed(1, schedule.nodes()).mapToObj(i -> "n" + i).toList();
    }

    static List<String> clientNames(Schedule schedule) {
        return IntStream.rangeClosed(1, schedule.clients().size()).mapToObj(i -> "c" + i).toList();
    }

    private static List<String> hostNames(Schedule schedule) {
        return Stream.concat(nodeNames(schedule).stream(), clientNames(schedule).stream()).toList();
    }

    private void addNode(String name, List<String> members, NodeProgram program)
            throws IOException {
        Path own = folder.resolve(name);
        Path disk = stage.disk(name).map(each -> each.folder()).orElse(own);
        Optional<ClockShim> clock = clock(name);
        Optional<FsShim> files =
                stage.tools().map(tools -> new FsShim(tools, own.resolve("files"), disk));
        ChaosNode node =
                new ChaosNode(
                        stage.network().host(name),
                        members,
                        new NodeSettings(
                                own,
                                disk.resolve("data"),
                                folder.resolve("journals"),
                                SNAPSHOT_INTERVAL,
                                SNAPSHOT_MARGIN),
                        program.with(
                                Shim.environment(
                                        Stream.<Optional<? extends Shim>>of(clock, files)
                                                .<Shim>flatMap(Optional::stream)
                                                .toList())),
                        this::onEvent);
        NodeSeat seat = new NodeSeat(node);
        nodes.put(name, seat);
        gears.put(name, new Gear(seat, clock, files, stage.disk(name)));
    }

    private void addClient(
            String name,
            WorkloadSpec workload,
            long seed,
            AtomicLong lives,
            ClientProcess.Surroundings surroundings) {
        Optional<ClockShim> clock = clock(name);
        ClientProcess client =
                new ClientProcess(
                        stage.network().host(name),
                        setup(name, workload, seed, clock),
                        lives::incrementAndGet,
                        surroundings);
        ClientSeat seat = new ClientSeat(client);
        clients.put(name, seat);
        gears.put(name, new Gear(seat, clock, Optional.empty(), Optional.empty()));
    }

    private ClientSetup setup(
            String name, WorkloadSpec workload, long seed, Optional<ClockShim> clock) {
        List<String> endpoints =
                nodes.keySet().stream().map(node -> node + ":" + Network.CLIENT_PORT).toList();
        return new ClientSetup(
                workload,
                seed,
                endpoints,
                folder.resolve(name),
                List.of(),
                Shim.environment(clock.<Shim>map(each -> each).stream().toList()));
    }

    private Optional<ClockShim> clock(String name) {
        Path file = folder.resolve(name).resolve("clock");
        return stage.tools().map(tools -> new ClockShim(tools, file));
    }

    /** What is started ends with the harness, whatever becomes of it. */
    private void onEvent(Event event) {
        if (event instanceof Event.NodeStarted started) {
            stage.cleanup().process(started.pid());
        } else if (event instanceof Event.ClientStarted started) {
            stage.cleanup().process(started.pid());
        }
        events.accept(event);
    }

    Map<String, NodeSeat> nodes() {
        return nodes;
    }

    Map<String, ClientSeat> clients() {
        return clients;
    }

    /** Returns the client that comes last, and finds all locks free. */
    ClientProcess sweeper() {
        return sweeper;
    }

    StatusWatcher watcher() {
        return watcher;
    }

    /** Returns who leads and who is there, as of now. */
    FaultTimeline.Standing standing() {
        Optional<Event.NodeSeen> leader = watcher.leader();
        return new FaultTimeline.Standing(
                new Cast(
                        List.copyOf(nodes.keySet()),
                        leader.map(Event.NodeSeen::node),
                        List.copyOf(clients.keySet())),
                leader.map(Event.NodeSeen::term).orElse(0L));
    }

    ClusterFaults faults() {
        return ClusterFaults.of(
                new LinkPlan(stage.network()),
                stage.control(),
                new NodeLogs(watcher, nodes),
                List.copyOf(nodes.keySet()),
                List.copyOf(clients.keySet()),
                gears);
    }

    /** Goes on with what takes time; called often. */
    void tick(long nowNanos) {
        nodes.values().forEach(node -> node.tick(nowNanos));
    }

    @Override
    public void close() {
        watcher.close();
        sweeper.close();
        clients.values().forEach(seat -> seat.client().close());
        nodes.values().forEach(seat -> seat.node().close());
    }
}
