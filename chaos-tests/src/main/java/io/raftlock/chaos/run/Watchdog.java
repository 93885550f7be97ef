package io.raftlock.chaos.run;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.node.StatusWatcher;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Has nodes that do not answer, though nothing is done to them, write down what their threads do:
 * afterwards that cannot be found out. Owned by the driver's thread.
 */
final class Watchdog {
    static final String KIND = "watchdog";

    private static final Duration SILENCE = Duration.ofSeconds(3);
    private static final Duration START = Duration.ofSeconds(10);

    private final Map<String, NodeSeat> nodes;
    private final StatusWatcher watcher;
    private final Path folder;
    private final Consumer<Event> events;
    private final Set<String> dumped = new HashSet<>();
    private final Map<String, Calm> calm = new HashMap<>();

    /** A life of a node to which nothing is done, and since when. */
    private record Calm(int life, long sinceNanos) {}

    Watchdog(
            Map<String, NodeSeat> nodes,
            StatusWatcher watcher,
            Path folder,
            Consumer<Event> events) {
        this.nodes = nodes;
        this.watcher = watcher;
        this.folder = folder;
        this.events = events;
    }

    /**
     * Looks at all nodes; called about once a second.
     *
     * @param hit hosts to which something is done now, or was until just now
     */
    void look(long nowNanos, Set<String> hit) {
        nodes.forEach((name, seat) -> look(nowNanos, name, seat, hit.contains(name)));
    }

    private void look(long nowNanos, String name, NodeSeat seat, boolean isHit) {
        int life = seat.node().life();
        Calm before = calm.get(name);
        if (isHit || !seat.isRunning() || before == null || before.life != life) {
            calm.put(name, new Calm(life, nowNanos));
            return;
        }
        boolean isSilent =
                watcher.silentFor(name).compareTo(SILENCE) > 0
                        && nowNanos - before.sinceNanos > START.toNanos();
        if (isSilent && dumped.add(name + life)) {
            dump(name, seat);
        }
    }

    private void dump(String name, NodeSeat seat) {
        Path file = folder.resolve("%s-%d.threads".formatted(name, seat.node().life()));
        boolean isWritten = seat.node().threadDump(file);
        events.accept(
                new Event.Noted(
                        System.nanoTime(),
                        KIND,
                        name,
                        "says nothing for %d ms; its threads are in %s"
                                .formatted(
                                        watcher.silentFor(name).toMillis(),
                                        isWritten ? file : seat.node().settings().logFile())));
    }
}
