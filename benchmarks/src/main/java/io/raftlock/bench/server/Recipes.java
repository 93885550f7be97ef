package io.raftlock.bench.server;

import io.raftlock.bench.peer.PeerSystem;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How the servers of each system are started: three of each, but one of Redis. Their configurations
 * are resources of this module, in the folder {@code servers}.
 */
public final class Recipes {
    /** System property that names the folder with the jar of the node and its {@code lib}. */
    public static final String DISTRIBUTION_PROPERTY = "raftlock.distribution";

    /** The same for all that run on a Java virtual machine. */
    private static final String HEAP = "-Xmx512m";

    /** Each pause of the collector is a line of the log. */
    private static final List<String> LARGE = List.of("-Xmx3g", "-Xlog:gc");

    /** As {@code scripts/raft-lock} starts a node. */
    private static final List<String> NODE_OPTIONS =
            List.of("-XX:+UseSerialGC", "-XX:-UsePerfData");

    static final int SERVERS = 3;

    private Recipes() {}

    /** Returns what is missing here to run the system, as a sentence; empty if nothing is. */
    public static Optional<String> missing(PeerSystem system) {
        return switch (system) {
            case RAFT_LOCK ->
                    nodeJar().isPresent()
                            ? Optional.empty()
                            : Optional.of(
                                    "the node is not built: run scripts/bench, or mvn package");
            case REDISSON, REDISSON_FAIR -> missing("redis-server", "redis-server");
            case ETCD -> missing("etcd", "etcd-server");
            case HAZELCAST, ZOOKEEPER -> Optional.empty();
        };
    }

    private static Optional<String> missing(String program, String debianPackage) {
        return onPath(program)
                ? Optional.empty()
                : Optional.of(
                        "there is no %s on the PATH: apt-get install %s"
                                .formatted(program, debianPackage));
    }

    static boolean onPath(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    static List<Launch> of(PeerSystem system) {
        return switch (system) {
            case RAFT_LOCK -> three(number -> node(number, List.of(HEAP)));
            case REDISSON, REDISSON_FAIR ->
                    List.of(
                            new Launch(
                                    1, "redis.conf", List.of("redis-server", "@config@"), 26_379));
            case HAZELCAST ->
                    three(
                            number ->
                                    new Launch(
                                            number,
                                            "hazelcast.xml",
                                            Jdk.java(
                                                    List.of(HEAP, "-Dhazelcast.config=@config@"),
                                                    "com.hazelcast.core.server.HazelcastMemberStarter",
                                                    List.of()),
                                            25_700 + number));
            case ZOOKEEPER ->
                    three(
                            number ->
                                    new Launch(
                                            number,
                                            "zookeeper.cfg",
                                            Jdk.java(
                                                    List.of(HEAP),
                                                    "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                                                    List.of("@config@")),
                                            27_180 + number));
            case ETCD ->
                    three(
                            number ->
                                    new Launch(
                                            number,
                                            "etcd.yaml",
                                            List.of("etcd", "--config-file", "@config@"),
                                            23_780 + number));
        };
    }

    static List<Launch> largeNodes() {
        return three(number -> node(number, LARGE));
    }

    /** Returns the port for the operators of a node of raft-lock. */
    static int adminPort(int number) {
        return 27_500 + number;
    }

    private static Launch node(int number, List<String> options) {
        List<String> command = new ArrayList<>();
        command.add(Jdk.program("java"));
        command.addAll(options);
        command.addAll(NODE_OPTIONS);
        command.addAll(
                List.of(
                        "-jar",
                        nodeJar().orElseThrow().toString(),
                        "server",
                        "--config",
                        "@config@"));
        return new Launch(number, "raft-lock.yaml", command, 27_400 + number);
    }

    private static List<Launch> three(IntFunction<Launch> launch) {
        return IntStream.rangeClosed(1, SERVERS).mapToObj(launch).toList();
    }

    private static Optional<Path> nodeJar() {
        String folder = System.getProperty(DISTRIBUTION_PROPERTY, "../raft-lock-server/target");
        File[] jars =
                new File(folder)
                        .listFiles(
                                (parent, name) ->
                                        name.matches("raft-lock-server-[0-9.]+(-SNAPSHOT)?\\.jar"));
        return jars == null || jars.length == 0
                ? Optional.empty()
                : Optional.of(jars[0].toPath().toAbsolutePath().normalize());
    }
}
