package io.raftlock.chaos.node;

import io.raftlock.chaos.cluster.Distribution;
import io.raftlock.chaos.host.Programs;
import io.raftlock.chaos.net.Host;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a node's process runs.
 *
 * @param jvmFlags of its JVM
 * @param classPath in order
 * @param environment beside that of this process
 */
public record NodeProgram(
        List<String> jvmFlags, List<Path> classPath, Map<String, String> environment) {
    private static final String MAIN = "io.raftlock.cli.Main";
    private static final List<String> JVM_FLAGS =
            List.of("-Xms64m", "-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    public NodeProgram {
        jvmFlags = List.copyOf(jvmFlags);
        classPath = List.copyOf(classPath);
        environment = Map.copyOf(environment);
    }

    /** Returns the built node, with the observer that writes its journal. */
    public static NodeProgram built() {
        return new NodeProgram(JVM_FLAGS, List.of(harness(), Distribution.find().jar()), Map.of());
    }

    /** Returns this program with the classes in that folder in place of its own. */
    public NodeProgram patchedBy(Path folder) {
        return new NodeProgram(
                jvmFlags,
                Stream.concat(Stream.of(folder.toAbsolutePath()), classPath.stream()).toList(),
                environment);
    }

    /** Returns this program with further variables in its environment. */
    public NodeProgram with(Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(environment);
        all.putAll(more);
        return new NodeProgram(jvmFlags, classPath, all);
    }

    List<String> command(Host host, Path configFile) {
        List<String> command = new ArrayList<>(java(host));
        command.addAll(jvmFlags);
        command.add("-cp");
        command.add(classPath.stream().map(Path::toString).collect(Collectors.joining(":")));
        command.addAll(List.of(MAIN, "server", "--config", configFile.toString()));
        return command;
    }

    /** Returns how a command line begins that runs Java on the host. */
    static List<String> java(Host host) {
        List<String> command = new ArrayList<>(host.prefix());
        command.add(Programs.ofJdk("java"));
        command.add("-Djdk.net.hosts.file=" + host.hostsFile());
        return command;
    }

    private static Path harness() {
        try {
            return Path.of(
                    NodeProgram.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the harness does not know where it is", e);
        }
    }
}
