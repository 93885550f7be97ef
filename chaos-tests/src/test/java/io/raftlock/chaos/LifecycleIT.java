package io.raftlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.checker.HoldChecks;
import io.raftlock.chaos.checker.WaitChecks;
import io.raftlock.chaos.cluster.Distribution;
import io.raftlock.chaos.cluster.LoopbackPorts;
import io.raftlock.chaos.cluster.NodeProcess;
import io.raftlock.chaos.cluster.NodeSpec;
import io.raftlock.chaos.cluster.NodeYaml;
import io.raftlock.chaos.cluster.ProcessCluster;
import io.raftlock.chaos.history.History;
import io.raftlock.chaos.host.Await;
import io.raftlock.chaos.workload.LockWorkload;
import io.raftlock.client.LockGrant;
import io.raftlock.client.RaftLockClient;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** How a node starts, refuses to start, and stops. */
class LifecycleIT {
    private static final int CANNOT_START = 2;
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final Duration STOP_BOUND = Duration.ofSeconds(10);
    private static final int CLIENTS = 8;
    private static final List<String> NAMES = List.of("a", "b", "c", "d");

    @TempDir private Path folder;

    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void anUnknownKeyStopsTheStartAndNothingIsWritten() throws Exception {
        NodeSpec node = node(folder);
        Files.writeString(
                node.configFile(), NodeYaml.of(node, List.of(node), List.of("colour: blue")));
        Refusal refusal = startInVain(node.configFile());
        refusal.requireOneLineThatNames("colour");
        assertThat(filesIn(folder)).containsExactly(node.configFile());
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void aPortInUseStopsTheStartAndNothingIsWritten() throws Exception {
        NodeSpec node = node(folder);
        Files.writeString(node.configFile(), NodeYaml.of(node, List.of(node), List.of()));
        for (int port : new int[] {node.raftPort(), node.clientPort()}) {
            try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                Refusal refusal = startInVain(node.configFile());
                refusal.requireOneLineThatNames(Integer.toString(taken.getLocalPort()));
            }
        }
        assertThat(filesIn(folder)).containsExactly(node.configFile());
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void aMissingFileStopsTheStart() throws Exception {
        startInVain(folder.resolve("none.yaml")).requireOneLineThatNames("none.yaml");
    }

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void aNodeStopsAndComesBackWithoutAnyoneLosingAnything() throws Exception {
        ClusterRun.onThreeNodes(
                "lifecycle",
                List.of(),
                cluster -> {
                    aSecondProcessOnTheDataIsRefused(cluster);
                    theLeaderStopsUnderLoad(cluster);
                    tokensIncreaseOverARestartOfAll(cluster);
                });
    }

    private void aSecondProcessOnTheDataIsRefused(ProcessCluster cluster) throws Exception {
        NodeSpec running = cluster.nodes().get(0).spec();
        NodeSpec second = NodeSpec.on(new LoopbackPorts(), running.id(), running.folder());
        Path config = folder.resolve("second.yaml");
        Files.writeString(config, NodeYaml.of(second, List.of(second), List.of()));
        startInVain(config).requireOneLineThatNames(running.dataDir().toString());
    }

    private void theLeaderStopsUnderLoad(ProcessCluster cluster) throws Exception {
        History history = new History(System::nanoTime);
        try (LockWorkload workload =
                LockWorkload.start(cluster.endpoints(), CLIENTS, NAMES, history, 1)) {
            progress(workload);
            NodeProcess leader = cluster.awaitLeader(BOUND);
            long start = System.nanoTime();
            leader.terminate();
            int exitCode = leader.awaitExit(STOP_BOUND);
            long stopped = System.nanoTime();
            progress(workload);
            leader.start();
            assertThat(workload.stop(BOUND)).as("all clients came to an end").isTrue();

            System.out.printf(
                    "SIGTERM of the leader: stopped in %d ms with exit code %d, longest time"
                            + " without a grant %d ms%n",
                    (stopped - start) / 1_000_000,
                    exitCode,
                    HoldChecks.longestGap(history.holds(), start).toMillis());
            assertThat(exitCode).isZero();
            assertThat(workload.complaints()).isEmpty();
            assertThat(HoldChecks.mutualExclusion(history.holds())).isEmpty();
            assertThat(HoldChecks.increasingTokens(history.holds())).isEmpty();
            assertThat(WaitChecks.bounded(history.waits(), STOP_BOUND, System.nanoTime()))
                    .isEmpty();
        }
    }

    private void tokensIncreaseOverARestartOfAll(ProcessCluster cluster) throws Exception {
        cluster.start();
        long before = tokenOfOneHold(cluster);
        cluster.nodes().forEach(NodeProcess::terminate);
        for (NodeProcess node : cluster.nodes()) {
            assertThat(node.awaitExit(STOP_BOUND)).as("exit code").isZero();
        }
        cluster.start();
        assertThat(tokenOfOneHold(cluster)).isGreaterThan(before);
        assertThat(cluster.awaitAgreement().holds()).isZero();
    }

    private static long tokenOfOneHold(ProcessCluster cluster) throws Exception {
        try (RaftLockClient client =
                RaftLockClient.builder().endpoints(cluster.endpoints()).build()) {
            LockGrant grant =
                    client.lock("restart").acquireAsync().get(BOUND.toSeconds(), TimeUnit.SECONDS);
            grant.release();
            return grant.token().value();
        }
    }

    private static void progress(LockWorkload workload) {
        long goal = workload.cycles() + 200;
        Await.until("200 more cycles", BOUND, () -> workload.cycles() >= goal);
    }

    private static NodeSpec node(Path folder) {
        return NodeSpec.on(new LoopbackPorts(), "n1", folder);
    }

    /** Starts a node that is to refuse, and waits for its end. It tells why on its error output. */
    private Refusal startInVain(Path config) throws IOException, InterruptedException {
        Path output = Files.createTempFile("refusal", ".txt");
        try {
            List<String> command =
                    Distribution.find()
                            .command(
                                    List.of("-Xmx192m"),
                                    List.of("server", "--config", config.toString()));
            Process process =
                    new ProcessBuilder(command)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(output.toFile())
                            .start();
            try {
                assertThat(process.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS))
                        .as("it ends")
                        .isTrue();
                return new Refusal(process.exitValue(), Files.readString(output));
            } finally {
                process.destroyForcibly();
            }
        } finally {
            Files.delete(output);
        }
    }

    private record Refusal(int exitCode, String output) {
        void requireOneLineThatNames(String subject) {
            assertThat(exitCode).as("exit code; the output is: %s", output).isEqualTo(CANNOT_START);
            assertThat(output.lines().filter(line -> !line.isBlank()))
                    .singleElement()
                    .asString()
                    .contains(subject);
        }
    }

    private static List<Path> filesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> !file.equals(folder)).toList();
        }
    }
}
