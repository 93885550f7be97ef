package io.raftlock.bench.server;

import io.raftlock.bench.load.LoadFailure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Takes namespaces and cables away, whether or not all of them were made. */
final class CableLeftovers {
    private static final Path NAMESPACES = Path.of("/run/netns");

    private CableLeftovers() {}

    /** Removes those of processes that were killed, and the servers that run in them. */
    static void remove() throws IOException {
        namespaces().stream()
                .flatMap(name -> CableNames.ofNamespace(name).stream())
                .distinct()
                .filter(names -> ProcessHandle.of(names.pid()).isEmpty())
                .forEach(CableLeftovers::remove);
    }

    /** Removes those of one process. */
    static void remove(CableNames names) {
        try {
            for (String namespace : namespaces(names)) {
                attempt(() -> endAll(namespace));
                attempt(() -> Ip.run(List.of("netns", "del", namespace)));
            }
            // With the namespace at its other end it would go, too, but later.
            Path uplink = Path.of("/sys/class/net", names.uplink());
            if (Files.exists(uplink)) {
                attempt(() -> Ip.run(List.of("link", "del", names.uplink())));
            }
            if (Files.exists(uplink) || !namespaces(names).isEmpty()) {
                System.err.printf("left: %s, %s%n", names.uplink(), namespaces(names));
            }
        } catch (IOException e) {
            System.err.printf("left: %s and its namespaces: %s%n", names.uplink(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    /** When this program is told to end two threads may be here, and one of them comes too late. */
    private static void attempt(Step step) throws IOException, InterruptedException {
        try {
            step.run();
        } catch (LoadFailure failed) {
            // What is left is looked for at the end.
        }
    }

    private static void endAll(String namespace) throws IOException, InterruptedException {
        Ip.run(List.of("netns", "pids", namespace))
                .lines()
                .map(line -> ProcessHandle.of(Long.parseLong(line.strip())))
                .forEach(process -> process.ifPresent(ProcessHandle::destroyForcibly));
    }

    private static List<String> namespaces(CableNames names) throws IOException {
        return namespaces().stream()
                .filter(each -> CableNames.ofNamespace(each).filter(names::equals).isPresent())
                .toList();
    }

    private static List<String> namespaces() throws IOException {
        if (!Files.isDirectory(NAMESPACES)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(NAMESPACES)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
