package io.raftlock.bench.scale;

import io.raftlock.bench.load.LoadFailure;
import io.raftlock.bench.server.Await;
import io.raftlock.bench.server.Servers;
import io.raftlock.client.LockGrant;
import io.raftlock.client.RaftLockClient;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** The {@code scale} command. */
@Command(
        name = "scale",
        mixinStandardHelpOptions = true,
        description = {
            "Fills a cluster of its own with sessions, with locks that are held, and with names that"
                    + " are used once, and prints what that costs its nodes."
        })
public final class ScaleCommand implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final Duration BOUND = Duration.ofMinutes(10);
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final int CLIENTS = 8;
    private static final long SETTLE_MILLIS = 3_000;
    private static final long MEASURE_SECONDS = 20;
    private static final double BYTES_PER_MIB = 1 << 20;

    @Option(
            names = "--sessions",
            paramLabel = "N",
            defaultValue = "15000",
            description =
                    "each with a connection, of which a process may have as many as files"
                            + " (default: ${DEFAULT-VALUE})")
    private int sessions;

    @Option(
            names = "--locks",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "held at once (default: ${DEFAULT-VALUE})")
    private int locks;

    @Option(
            names = "--names",
            paramLabel = "N",
            defaultValue = "5000000",
            description = "locked and unlocked once each (default: ${DEFAULT-VALUE})")
    private int names;

    @Option(
            names = "--folder",
            paramLabel = "FOLDER",
            description = "for the nodes' data (default: benchmarks/target/scale-PID)")
    private Path folder =
            Path.of(System.getProperty("raftlock.bench.folder", "target/bench"))
                    .resolveSibling("scale-" + ProcessHandle.current().pid());

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new ScaleCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path own = Files.createDirectories(folder.toAbsolutePath().normalize());
        try {
            if (sessions > 0) {
                onNodes(own.resolve("sessions"), this::fillWithSessions);
            }
            if (locks > 0) {
                onNodes(own.resolve("locks"), this::fillWithLocks);
            }
            if (names > 0) {
                onNodes(own.resolve("names"), this::useNames);
            }
            return 0;
        } catch (LoadFailure e) {
            System.err.println("scale: " + e.getMessage());
            return FAILED;
        }
    }

    private interface Filling {
        void run(Nodes nodes) throws IOException, InterruptedException;
    }

    private static void onNodes(Path data, Filling filling)
            throws IOException, InterruptedException {
        try (Servers servers = Servers.startLarge(data)) {
            Nodes nodes = new Nodes(servers, data);
            nodes.awaitLeader();
            filling.run(nodes);
        }
    }

    private static void print(String format, Object... figures) {
        System.out.printf(Locale.ROOT, format + "%n", figures);
    }

    private static double secondsSince(long startNanos) {
        return (System.nanoTime() - startNanos) / 1e9;
    }

    // -- sessions

    private void fillWithSessions(Nodes nodes) throws IOException, InterruptedException {
        int leader = nodes.awaitLeader();
        int follower = (leader + 1) % nodes.count();
        long leaderBefore = nodes.meter(leader).heapBytes();
        long followerBefore = nodes.meter(follower).heapBytes();
        double idle = nodes.coresOf(leader);
        try (IdleSessions idleSessions = new IdleSessions(TTL)) {
            long start = System.nanoTime();
            idleSessions.open(nodes.address(leader), sessions, BOUND);
            print(
                    "%,d sessions of %d s: opened in %.1f s",
                    sessions, TTL.toSeconds(), secondsSince(start));
            TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
            double busy = nodes.coresOf(leader);
            print("  cores of the leader: %.3f, %.3f without sessions", busy, idle);
            print(
                    "  heap for each: %,d bytes at a follower, %,d at the leader with its connection",
                    (nodes.meter(follower).heapBytes() - followerBefore) / sessions,
                    (nodes.meter(leader).heapBytes() - leaderBefore) / sessions);
            print("  lost: %d", idleSessions.lost());
        }
    }

    // -- locks

    private void fillWithLocks(Nodes nodes) throws IOException, InterruptedException {
        int leader = nodes.awaitLeader();
        int follower = (leader + 1) % nodes.count();
        List<RaftLockClient> clients = clients(nodes);
        long before = nodes.meter(follower).heapBytes();
        Queue<LockGrant> grants = new ConcurrentLinkedQueue<>();
        long start = System.nanoTime();
        ManyLocks.each(
                locks,
                i -> clients.get(i % CLIENTS).lock("held/" + i),
                grant -> ManyLocks.kept(grants, grant),
                BOUND);
        double seconds = secondsSince(start);
        print(
                "%,d locks held: acquired in %.1f s, %,.0f a second",
                locks, seconds, locks / seconds);
        TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
        print(
                "  heap for each at a follower: %,d bytes",
                (nodes.meter(follower).heapBytes() - before) / locks);
        print("  disk of a follower: %,.0f MiB", nodes.diskBytes(follower) / BYTES_PER_MIB);
        print(
                "  restart of a follower until it has applied all: %.1f s",
                restart(nodes, leader, follower));
        long lost = grants.stream().filter(grant -> !grant.isHeld()).count();
        print("  lost: %d", lost);
        clients.forEach(RaftLockClient::close);
    }

    private static double restart(Nodes nodes, int leader, int follower)
            throws IOException, InterruptedException {
        double wanted = nodes.meter(leader).value(Nodes.APPLIED).orElseThrow();
        nodes.stopAndStart(follower);
        long start = System.nanoTime();
        NodeMeter restarted = nodes.meter(follower);
        Await.until(
                "a node that was restarted has applied all",
                BOUND,
                () -> restarted.value(Nodes.APPLIED).orElse(0) >= wanted);
        return secondsSince(start);
    }

    private static List<RaftLockClient> clients(Nodes nodes) {
        List<RaftLockClient> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(
                    RaftLockClient.builder()
                            .endpoints(nodes.endpoints().toArray(String[]::new))
                            .sessionTtl(Duration.ofMinutes(1))
                            .clientName("scale-" + i)
                            .build());
        }
        return clients;
    }

    // -- names

    private void useNames(Nodes nodes) throws IOException, InterruptedException {
        int leader = nodes.awaitLeader();
        int follower = (leader + 1) % nodes.count();
        List<RaftLockClient> clients = clients(nodes);
        long before = nodes.meter(follower).heapBytes();
        long start = System.nanoTime();
        ManyLocks.each(
                names,
                i -> clients.get(i % CLIENTS).lock("once/" + i),
                LockGrant::releaseAsync,
                BOUND);
        double seconds = secondsSince(start);
        print(
                "%,d names used once: in %.1f s, %,.0f cycles a second",
                names, seconds, names / seconds);
        TimeUnit.SECONDS.sleep(MEASURE_SECONDS);
        print(
                "  heap of a follower: %,.1f MiB before, %,.1f MiB after",
                before / BYTES_PER_MIB, nodes.meter(follower).heapBytes() / BYTES_PER_MIB);
        print("  disk of a follower: %,.0f MiB", nodes.diskBytes(follower) / BYTES_PER_MIB);
        clients.forEach(RaftLockClient::close);
    }
}
