package io.raftlock.server.raft.transport;

import com.alipay.sofa.jraft.Closure;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.closure.ReadIndexClosure;
import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.entity.Task;
import com.alipay.sofa.jraft.util.ThreadPoolsFactory;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A cluster in this JVM and what a test does with it. */
final class TestCluster {
    final String group = "transport-" + UUID.randomUUID();
    final CutLinks links = new CutLinks();
    final List<TestNode> nodes = new ArrayList<>();
    private final Path dir;

    static TestCluster ofThree(Path dir) throws IOException {
        TestCluster cluster = new TestCluster(dir);
        List<PeerId> peers = List.of(freePeer(), freePeer(), freePeer());
        for (PeerId peer : peers) {
            cluster.start(peer, new Configuration(peers));
        }
        return cluster;
    }

    private TestCluster(Path dir) {
        this.dir = dir;
        ThreadPoolExecutor closures =
                new ThreadPoolExecutor(16, 16, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
        closures.allowCoreThreadTimeOut(true);
        ThreadPoolsFactory.registerThreadPool(group, closures);
    }

    /** Below the range from which the kernel takes ports for outgoing connections. */
    static PeerId freePeer() throws IOException {
        InetAddress loopback = InetAddress.getByName("127.0.0.1");
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(15_000, 30_000);
            try (ServerSocket socket = new ServerSocket(port, 1, loopback)) {
                return new PeerId("127.0.0.1", socket.getLocalPort());
            } catch (BindException e) {
                // taken; try another
            }
        }
    }

    TestNode start(PeerId peer, Configuration initial) throws IOException {
        Path home = dir.resolve(String.valueOf(peer.getPort()));
        TestNode node = new TestNode(group, peer, initial, home, links);
        nodes.add(node);
        return node;
    }

    TestNode leader() {
        await(Duration.ofSeconds(20), () -> nodes.stream().anyMatch(TestNode::leads));
        return nodes.stream().filter(TestNode::leads).findFirst().orElseThrow();
    }

    List<TestNode> followers() {
        return nodes.stream().filter(node -> !node.leads()).toList();
    }

    static Status apply(TestNode node, String entry) {
        return apply(node, List.of(entry)).get(0);
    }

    static List<Status> apply(TestNode node, List<String> entries) {
        List<CompletableFuture<Status>> outcomes = new ArrayList<>();
        for (String entry : entries) {
            outcomes.add(outcome(done -> submit(node, entry, done)));
        }
        return outcomes.stream().map(TestCluster::get).toList();
    }

    static void submit(TestNode node, String entry, Closure done) {
        ByteBuffer data = ByteBuffer.wrap(entry.getBytes(StandardCharsets.UTF_8));
        node.node.apply(new Task(data, done));
    }

    /** Applies on whoever leads until it is acknowledged. */
    void applySurely(String entry, Duration limit) {
        await(
                limit,
                () ->
                        nodes.stream()
                                .filter(TestNode::leads)
                                .anyMatch(node -> apply(node, entry).isOk()));
    }

    static Status readIndex(TestNode node) {
        CompletableFuture<Status> outcome = new CompletableFuture<>();
        node.node.readIndex(
                new byte[0],
                new ReadIndexClosure() {
                    @Override
                    public void run(Status status, long index, byte[] context) {
                        outcome.complete(status);
                    }
                });
        return get(outcome);
    }

    static Status snapshot(TestNode node) {
        return get(outcome(node.node::snapshot));
    }

    static CompletableFuture<Status> outcome(Consumer<Closure> action) {
        CompletableFuture<Status> outcome = new CompletableFuture<>();
        action.accept(outcome::complete);
        return outcome;
    }

    static Status get(CompletableFuture<Status> outcome) {
        return outcome.orTimeout(20, TimeUnit.SECONDS).join();
    }

    void awaitAgreement() {
        await(
                Duration.ofSeconds(20),
                () -> nodes.stream().map(node -> node.machine.applied()).distinct().count() == 1);
    }

    static void await(Duration limit, BooleanSupplier condition) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within " + limit);
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(5);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    void close() throws InterruptedException {
        for (TestNode node : nodes) {
            node.stop();
        }
    }
}
