package io.raftlock.chaos.run;

import io.raftlock.server.mutation.Mutation;
import io.raftlock.server.mutation.SourceChange;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Bugs that nodes can be run with, to see that a run finds them. They are changes of source files,
 * compiled when a run begins: the product has no switches for them.
 */
public final class Sabotage {
    /** System property that names the folder of the server's sources. */
    public static final String SOURCES_PROPERTY = "raftlock.sources";

    /** Bugs that a simulation cannot show, as it has no disks and no connections. */
    private static final Map<String, SourceChange> OWN =
            Map.of(
                    "NO_SYNC",
                    new SourceChange(
                            "raft/EngineOptions",
                            List.of("options.setSync(true)", "options.setSync(false)")),
                    "READS_ARE_OF_LOCAL_STATE",
                    new SourceChange(
                            "net/RequestRouter",
                            List.of(
                                    "if (!log.isLeading()) {",
                                    "if (!log.isLeading() && request.kind() != Request.Kind.ATTACH"
                                            + " && request.kind() != Request.Kind.KEEP_ALIVE) {",
                                    "if (sessions.isOpen(session, line)) {",
                                    "if (true) {",
                                    """
                                                keepAlives.ask(
                                                        request.session(),
                                                        reply(from, callId, () -> from.send(callId, keptAlive(request))));
                                    """,
                                    """
                                                reply(from, callId, () -> from.send(callId, keptAlive(request))).alive();
                                    """)));

    private static final String DEFAULT_SOURCES = "../raft-lock-server/src/main/java";

    private Sabotage() {}

    /** Returns the names of all bugs. */
    public static List<String> names() {
        List<String> names = new ArrayList<>(OWN.keySet());
        Arrays.stream(Mutation.values())
                .filter(each -> !each.change().file().startsWith("simulation/"))
                .forEach(each -> names.add(each.name()));
        return names;
    }

    /**
     * Compiles a bug.
     *
     * @param folder for the classes, which go before the node's own on its class path
     * @throws IllegalArgumentException if there is none of that name
     */
    static void compile(String name, Path folder) throws IOException {
        if (!names().contains(name)) {
            throw new IllegalArgumentException(
                    "no sabotage %s: there are %s".formatted(name, String.join(", ", names())));
        }
        SourceChange own = OWN.get(name);
        SourceChange change = own == null ? Mutation.valueOf(name).change() : own;
        Path sources = Path.of(System.getProperty(SOURCES_PROPERTY, DEFAULT_SOURCES));
        for (Map.Entry<String, byte[]> each : change.compiled(sources).entrySet()) {
            Path file = folder.resolve(each.getKey().replace('.', '/') + ".class");
            Files.createDirectories(file.getParent());
            Files.write(file, each.getValue());
        }
    }
}
