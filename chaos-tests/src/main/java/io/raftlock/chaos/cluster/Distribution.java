package io.raftlock.chaos.cluster;

import io.raftlock.chaos.host.Programs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The built node: one jar with its libraries beside it, started as an operator would start it.
 *
 * @param jar that {@code java -jar} takes
 */
public record Distribution(Path jar) {
    /** System property that names the folder of the jar. */
    public static final String FOLDER_PROPERTY = "raftlock.distribution";

    private static final String DEFAULT_FOLDER = "../raft-lock-server/target";

    /**
     * Finds the jar that the build has made.
     *
     * @throws IllegalStateException if there is none
     */
    public static Distribution find() {
        Path folder = Path.of(System.getProperty(FOLDER_PROPERTY, DEFAULT_FOLDER));
        if (!Files.isDirectory(folder.resolve("lib"))) {
            throw new IllegalStateException(
                    "no built node in %s: package raft-lock-server first"
                            .formatted(folder.toAbsolutePath().normalize()));
        }
        return new Distribution(theJarIn(folder));
    }

    /** Returns the command line of a process that runs the node's program. */
    public List<String> command(List<String> jvmFlags, List<String> arguments) {
        return Stream.of(
                        List.of(Programs.ofJdk("java")),
                        jvmFlags,
                        List.of("-jar", jar.toString()),
                        arguments)
                .flatMap(List::stream)
                .toList();
    }

    private static Path theJarIn(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Distribution::isNode)
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no node's jar in " + folder))
                    .toAbsolutePath()
                    .normalize();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isNode(Path file) {
        String name = file.getFileName().toString();
        return name.startsWith("raft-lock-server-")
                && name.endsWith(".jar")
                && !name.endsWith("-sources.jar")
                && !name.endsWith("-tests.jar")
                && !name.endsWith("-javadoc.jar");
    }
}
