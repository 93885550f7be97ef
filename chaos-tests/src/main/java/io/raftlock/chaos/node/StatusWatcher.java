package io.raftlock.chaos.node;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.Event.NodeSeen;
import io.raftlock.chaos.history.EventLine;
import io.raftlock.chaos.net.Host;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Knows how the nodes are, by a {@link StatusWatch} on a host of the network. A thread of its own
 * reads what that says; the methods are for any thread.
 */
public final class StatusWatcher implements AutoCloseable {
    private static final String LEADER = "LEADER";
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final Duration END_BOUND = Duration.ofSeconds(5);

    private final Process process;
    private final Consumer<Event> events;
    private final long startNanos = System.nanoTime();
    private final Map<String, NodeSeen> latest = new ConcurrentHashMap<>();
    private final Map<String, String> failures = new ConcurrentHashMap<>();
    private final Thread reader = new Thread(this::read, "status-watcher");

    private StatusWatcher(Process process, Consumer<Event> events) {
        this.process = process;
        this.events = events;
        reader.setDaemon(true);
    }

    /**
     * Starts to watch.
     *
     * @param host where the watching program runs
     * @param nodes by the names that the host knows
     * @param interval between two questions to a node
     * @param errors file for what the program complains of
     * @param events told of each answer and of the first failure after one, on a thread of its own
     * @throws IOException if the program cannot be started
     */
    public static StatusWatcher start(
            Host host, List<String> nodes, Duration interval, Path errors, Consumer<Event> events)
            throws IOException {
        List<String> command = new ArrayList<>(NodeProgram.java(host));
        command.addAll(
                List.of(
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StatusWatch.class.getName(),
                        Long.toString(interval.toMillis())));
        command.addAll(nodes);
        Process process =
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
                        .start();
        StatusWatcher watcher = new StatusWatcher(process, events);
        watcher.reader.start();
        return watcher;
    }

    /** Returns the id of the watching program. */
    public long pid() {
        return process.pid();
    }

    /** Returns what the node that leads said, if one did within the last second. */
    public Optional<NodeSeen> leader() {
        long now = System.nanoTime();
        return latest.values().stream()
                .filter(seen -> seen.role().equals(LEADER))
                .filter(seen -> now - seen.atNanos() < FRESH_NANOS)
                .max(Comparator.comparingLong(NodeSeen::term));
    }

    /** Returns what the node said last, if it ever did. */
    public Optional<NodeSeen> latest(String node) {
        return Optional.ofNullable(latest.get(node));
    }

    /** Returns why the node did not answer when it was asked last, or empty if it did. */
    public Optional<String> failure(String node) {
        return Optional.ofNullable(failures.get(node));
    }

    /** Returns how long ago the node answered last, or the watching began if it never did. */
    public Duration silentFor(String node) {
        NodeSeen seen = latest.get(node);
        long since = seen == null ? startNanos : seen.atNanos();
        return Duration.ofNanos(System.nanoTime() - since);
    }

    /** Whether the watching program is there: if not, nothing that is said here is news. */
    public boolean isRunning() {
        return process.isAlive();
    }

    /** Ends the program. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            reader.join(END_BOUND.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void read() {
        try (BufferedReader lines = process.inputReader()) {
            String line = lines.readLine();
            while (line != null) {
                take(EventLine.parse(line));
                line = lines.readLine();
            }
        } catch (IOException over) {
            note("status-watch", "can be read no more: " + over.getMessage());
        }
    }

    private void take(Event event) {
        if (event instanceof NodeSeen seen) {
            latest.put(seen.node(), seen);
            failures.remove(seen.node());
            events.accept(seen);
        } else if (event instanceof Event.Noted failed
                && failures.put(failed.where(), failed.text()) == null) {
            events.accept(failed);
        }
    }

    private void note(String where, String text) {
        events.accept(new Event.Noted(System.nanoTime(), StatusWatch.NO_ANSWER, where, text));
    }
}
