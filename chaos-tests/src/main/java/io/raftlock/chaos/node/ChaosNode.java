package io.raftlock.chaos.node;

import io.raftlock.chaos.cluster.NodeYaml;
import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.net.Host;
import io.raftlock.chaos.net.Network;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * One node of a run: a process on its host, as often as it takes. Owned by one thread, which calls
 * {@link #tick} all the time.
 */
public final class ChaosNode implements AutoCloseable {
    /** As a supervisor of services does: not at once, else one that cannot start burns the CPU. */
    static final Duration RESTART_AFTER = Duration.ofSeconds(1);

    private static final Duration KILL_BOUND = Duration.ofSeconds(10);

    private final Host host;
    private final NodeSettings settings;
    private final NodeProgram program;
    private final Consumer<Event> events;

    private int life;
    private @Nullable NodeLife running;
    private boolean isExcused;
    private boolean isDue;
    private long dueNanos;

    /**
     * Writes the configuration and starts nothing.
     *
     * @param members names of all nodes, by which they find each other; the host's is one of them
     * @param events told of each start and each end, on the thread that owns the node
     * @throws IOException if the folders cannot be written
     */
    public ChaosNode(
            Host host,
            List<String> members,
            NodeSettings settings,
            NodeProgram program,
            Consumer<Event> events)
            throws IOException {
        this.host = host;
        this.settings = settings;
        this.program = program;
        this.events = events;
        Files.createDirectories(settings.folder());
        Files.createDirectories(settings.journals());
        Files.writeString(settings.configFile(), yaml(members));
    }

    private String yaml(List<String> members) {
        NodeYaml.Own own =
                new NodeYaml.Own(
                        name(),
                        settings.dataDir(),
                        at(host.address(), Network.RAFT_PORT),
                        at(host.address(), Network.CLIENT_PORT),
                        at(host.address(), Network.ADMIN_PORT));
        List<NodeYaml.Member> all =
                members.stream()
                        .map(
                                each ->
                                        new NodeYaml.Member(
                                                each,
                                                at(each, Network.RAFT_PORT),
                                                at(each, Network.CLIENT_PORT)))
                        .toList();
        return NodeYaml.of(own, all, settings.yaml());
    }

    private static String at(String host, int port) {
        return host + ":" + port;
    }

    public String name() {
        return host.name();
    }

    public NodeSettings settings() {
        return settings;
    }

    /** Returns the number of the present life, or of the last one; 0 if there was none. */
    public int life() {
        return life;
    }

    public boolean isRunning() {
        return running != null && running.isAlive();
    }

    /**
     * Returns the process's id.
     *
     * @throws IllegalStateException if it does not run
     */
    public long pid() {
        return alive().pid();
    }

    /** Starts the next life, and does not wait for what it does then. */
    public void start() {
        if (isRunning()) {
            throw new IllegalStateException(name() + " runs already");
        }
        report();
        isDue = false;
        life++;
        NodeLife fresh =
                NodeLife.start(
                        program.command(host, settings.configFile()),
                        program.environment(),
                        settings,
                        settings.journal(name(), life));
        running = fresh;
        events.accept(new Event.NodeStarted(System.nanoTime(), name(), life, fresh.pid()));
    }

    /** Reports an end, and starts a node again some time after it ended by itself. */
    public void tick() {
        report();
        if (isDue && System.nanoTime() - dueNanos >= 0) {
            start();
        }
    }

    /**
     * Says whether the run is doing what makes a node end itself: such an end is wanted. The node
     * is started again all the same.
     */
    public void excuse(boolean now) {
        report();
        isExcused = now;
    }

    /**
     * As {@code kill -9}. Returns when the process is gone, which stays away until it is started.
     */
    public void kill() {
        report();
        NodeLife ending = started();
        ending.want();
        ending.kill();
        awaitExit(KILL_BOUND);
        isDue = false;
    }

    /** As {@code kill -TERM}, without waiting; the node stays away until it is started. */
    public void terminate() {
        NodeLife ending = alive();
        ending.want();
        ending.terminate();
    }

    /** As {@code kill -STOP}: the process stands still with all its connections open. */
    public void pause() {
        alive().signal("STOP");
    }

    /** As {@code kill -CONT}: ends a pause. */
    public void resume() {
        alive().signal("CONT");
    }

    /**
     * Waits for the process to end, and reports it.
     *
     * @return its exit code; one that was ended by a signal has 128 and the signal's number
     * @throws IllegalStateException if it does not end in time, or was never started
     */
    public int awaitExit(Duration bound) {
        int code = started().awaitExit(bound);
        report();
        return code;
    }

    /**
     * Has the process write down what its threads do.
     *
     * @return whether that is in the file; if not, it comes in the node's output when it can
     */
    public boolean threadDump(Path file) {
        return alive().threadDump(file);
    }

    /** Returns the end of the output, over all lives. */
    public String logTail(int lines) {
        try {
            List<String> all = Files.readAllLines(settings.logFile());
            return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the process if it runs, whatever state it is in. */
    @Override
    public void close() {
        if (running != null) {
            kill();
        }
    }

    private void report() {
        NodeLife ended = running;
        if (ended == null || ended.isAlive() || !ended.firstReport()) {
            return;
        }
        boolean isWanted = ended.isWanted() || isExcused;
        events.accept(
                new Event.NodeEnded(System.nanoTime(), name(), life, ended.exitCode(), isWanted));
        if (!ended.isWanted()) {
            isDue = true;
            dueNanos = System.nanoTime() + RESTART_AFTER.toNanos();
        }
    }

    private NodeLife started() {
        NodeLife present = running;
        if (present == null) {
            throw new IllegalStateException(name() + " was never started");
        }
        return present;
    }

    private NodeLife alive() {
        NodeLife present = started();
        if (!present.isAlive()) {
            throw new IllegalStateException(name() + " does not run");
        }
        return present;
    }
}
