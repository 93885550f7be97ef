package io.raftlock.chaos.cluster;

import io.raftlock.chaos.host.Await;
import io.raftlock.chaos.host.Folders;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.Response;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Nodes that are processes of their own, on free ports of 127.0.0.1 and in a folder of their own.
 * Closing it ends them all; the folder with their logs stays. Not for use by several threads at
 * once, but for {@link #endpoints} and {@link #statuses}.
 */
public final class ProcessCluster implements AutoCloseable {
    private static final Duration STATUS_BOUND = Duration.ofSeconds(2);
    private static final Duration START_BOUND = Duration.ofSeconds(60);
    private static final Duration AGREE_BOUND = Duration.ofSeconds(60);
    private static final int LOG_LINES_SHOWN = 60;

    private final List<NodeProcess> nodes;

    private ProcessCluster(List<NodeProcess> nodes) {
        this.nodes = List.copyOf(nodes);
    }

    /**
     * Lays out a cluster of nodes n1, n2, … and starts none of them.
     *
     * @param folder is emptied, and holds a folder for each node
     * @param yaml further lines for each configuration file
     */
    public static ProcessCluster layOut(Path folder, int size, List<String> yaml) {
        Path absolute = folder.toAbsolutePath().normalize();
        Distribution distribution = Distribution.find();
        LoopbackPorts ports = new LoopbackPorts();
        List<NodeSpec> specs = new ArrayList<>();
        for (int i = 1; i <= size; i++) {
            String id = "n" + i;
            specs.add(NodeSpec.on(ports, id, absolute.resolve(id)));
        }
        try {
            Folders.delete(absolute);
            for (NodeSpec spec : specs) {
                Files.createDirectories(spec.folder());
                Files.writeString(spec.configFile(), NodeYaml.of(spec, specs, yaml));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ProcessCluster(
                specs.stream().map(spec -> new NodeProcess(distribution, spec)).toList());
    }

    /** Starts all nodes that do not run and waits until one leads and the rest follow it. */
    public void start() {
        nodes.stream().filter(node -> !node.isRunning()).forEach(NodeProcess::start);
        Await.until("all nodes know their leader", START_BOUND, () -> agreedOn(leaderIds()));
    }

    public List<NodeProcess> nodes() {
        return nodes;
    }

    public NodeProcess node(String id) {
        return nodes.stream()
                .filter(node -> node.spec().id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no node " + id));
    }

    /** Returns the addresses for clients. */
    public String[] endpoints() {
        return nodes.stream().map(node -> node.spec().clientAddress()).toArray(String[]::new);
    }

    /** Asks one node how it is; empty if it does not answer. */
    public Optional<Response.NodeStatus> status(NodeProcess node) {
        try (NodeConnection connection =
                NodeConnection.open(node.spec().clientPort(), STATUS_BOUND)) {
            Response answer = connection.call(new Request.Status());
            return answer instanceof Response.NodeStatus status
                    ? Optional.of(status)
                    : Optional.empty();
        } catch (IOException notThere) {
            return Optional.empty();
        }
    }

    /** Asks all nodes that run how they are, and returns what those say that answer. */
    public List<Response.NodeStatus> statuses() {
        return nodes.stream()
                .filter(NodeProcess::isRunning)
                .flatMap(node -> status(node).stream())
                .toList();
    }

    /** Reads a node's meters; empty if it does not answer. */
    public Optional<Meters> meters(NodeProcess node) {
        return Meters.of(node.spec().adminAddress(), STATUS_BOUND);
    }

    /** Waits until a node that runs says that it leads. */
    public NodeProcess awaitLeader(Duration bound) {
        return node(
                Await.value(
                        "a node leads",
                        bound,
                        () ->
                                statuses().stream()
                                        .filter(status -> status.role().equals("LEADER"))
                                        .max(Comparator.comparingLong(Response.NodeStatus::term))
                                        .map(Response.NodeStatus::nodeId)));
    }

    /** Waits until all nodes that run have the same state at the same position, and returns it. */
    public Response.NodeStatus awaitAgreement() {
        return Await.value(
                "all nodes that run have one digest at one applied index",
                AGREE_BOUND,
                this::agreement);
    }

    /** Returns the end of each node's log, for the report of a failure. */
    public String logTails() {
        StringBuilder text = new StringBuilder();
        for (NodeProcess node : nodes) {
            List<String> lines = node.log().lines().toList();
            text.append("---- ").append(node.spec().logFile()).append('\n');
            lines.subList(Math.max(0, lines.size() - LOG_LINES_SHOWN), lines.size())
                    .forEach(line -> text.append(line).append('\n'));
        }
        return text.toString();
    }

    @Override
    public void close() {
        nodes.forEach(NodeProcess::destroy);
    }

    private Set<String> leaderIds() {
        Set<String> ids = new HashSet<>();
        for (NodeProcess node : nodes) {
            ids.add(status(node).map(Response.NodeStatus::leaderId).orElse(""));
        }
        return ids;
    }

    private static boolean agreedOn(Set<String> leaderIds) {
        return leaderIds.size() == 1 && !leaderIds.contains("");
    }

    private Optional<Response.NodeStatus> agreement() {
        List<Response.NodeStatus> found = statuses();
        boolean all = found.size() == nodes.stream().filter(NodeProcess::isRunning).count();
        Set<String> states = new HashSet<>();
        found.forEach(status -> states.add(status.appliedIndex() + " " + status.digest()));
        return all && states.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
    }
}
