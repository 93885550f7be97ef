package io.raftlock.bench.failover;

import io.raftlock.bench.load.LoadFailure;
import io.raftlock.bench.peer.Peer;
import io.raftlock.bench.peer.PeerSystem;
import io.raftlock.bench.peer.RaftLockPeer;
import io.raftlock.bench.server.Recipes;
import io.raftlock.bench.server.Servers;
import io.raftlock.client.LossReason;
import io.raftlock.client.SessionListener;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** The {@code failover} command. */
@Command(
        name = "failover",
        mixinStandardHelpOptions = true,
        description = {
            "Lets leaders fail under clients that take and give back locks all the time, and prints"
                    + " the longest time that a client was without a grant: the median and the"
                    + " worst of all runs, for raft-lock, ZooKeeper and etcd with their defaults."
        })
public final class FailoverCommand implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final int CLIENTS = 4;
    private static final long SERVICE_SECONDS = 90;
    private static final long STEADY_MILLIS = 3_000;
    private static final long POLL_MILLIS = 50;
    private static final double NANOS_PER_SECOND = 1e9;

    /** What happens to the leader. */
    enum Fault {
        /** {@code kill -9}. */
        KILL,
        /** SIGSTOP, for five seconds. */
        PAUSE,
        /** SIGTERM: it may hand over. */
        STOP
    }

    @Option(
            names = "--systems",
            split = ",",
            paramLabel = "NAME",
            description = "which ones (default: ${DEFAULT-VALUE})",
            defaultValue = "RAFT_LOCK,ZOOKEEPER,ETCD")
    private List<PeerSystem> systems = List.of();

    @Option(
            names = "--faults",
            split = ",",
            paramLabel = "NAME",
            description = "what happens to the leader: ${COMPLETION-CANDIDATES} (default: all)")
    private List<Fault> faults = List.of(Fault.values());

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "20",
            description = "how often (default: ${DEFAULT-VALUE})")
    private int runs;

    @Option(
            names = "--folder",
            paramLabel = "FOLDER",
            description = "for the servers' data (default: benchmarks/target/failover)")
    private Path folder =
            Path.of(System.getProperty("raftlock.bench.folder", "target/bench"))
                    .resolveSibling("failover-" + ProcessHandle.current().pid());

    private final AtomicInteger lost = new AtomicInteger();

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(
                new CommandLine(new FailoverCommand())
                        .setCaseInsensitiveEnumValuesAllowed(true)
                        .execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<String> lines = new ArrayList<>();
        lines.add("| leader | system | median s | worst s | sessions lost | all, s |");
        lines.add("| --- | --- | --- | --- | --- | --- |");
        try {
            for (Fault fault : faults) {
                for (PeerSystem system : systems) {
                    if (!Leaders.areKnown(system) || Recipes.missing(system).isPresent()) {
                        System.out.printf("left out: %s%n", system.label());
                    } else {
                        lines.add(line(fault, system, gaps(fault, system)));
                    }
                }
            }
        } catch (LoadFailure e) {
            System.err.println("failover: " + e.getMessage());
            return FAILED;
        }
        System.out.println();
        lines.forEach(System.out::println);
        return 0;
    }

    private String line(Fault fault, PeerSystem system, double[] gaps) {
        double[] sorted = gaps.clone();
        Arrays.sort(sorted);
        String all =
                String.join(
                        " ",
                        Arrays.stream(sorted)
                                .mapToObj(gap -> String.format(Locale.ROOT, "%.2f", gap))
                                .toList());
        return String.format(
                Locale.ROOT,
                "| %s | %s | %.2f | %.2f | %s | %s |",
                fault.name().toLowerCase(Locale.ROOT),
                system.label(),
                (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2,
                sorted[sorted.length - 1],
                system == PeerSystem.RAFT_LOCK ? Integer.toString(lost.getAndSet(0)) : "-",
                all);
    }

    private double[] gaps(Fault fault, PeerSystem system) throws IOException, InterruptedException {
        Path own = Files.createDirectories(folder).resolve(fault + "-" + system);
        double[] gaps = new double[runs];
        List<Peer> clients = Collections.synchronizedList(new ArrayList<>());
        try (Servers servers = Servers.start(system, own)) {
            awaitLeader(system, servers);
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(client(system, servers, i));
            }
            try (GrantWatch watch = new GrantWatch(clients)) {
                for (int run = 0; run < runs; run++) {
                    gaps[run] = gap(fault, system, servers, watch) / NANOS_PER_SECOND;
                    System.out.printf(
                            "%s %s %d/%d: %.2f s%n", system, fault, run + 1, runs, gaps[run]);
                }
            }
        } finally {
            clients.forEach(Peer::close);
        }
        return gaps;
    }

    private static long gap(Fault fault, PeerSystem system, Servers servers, GrantWatch watch)
            throws IOException, InterruptedException {
        awaitGrants(watch);
        int leader = awaitLeader(system, servers);
        TimeUnit.MILLISECONDS.sleep(STEADY_MILLIS);
        watch.forget();
        switch (fault) {
            case KILL -> servers.kill(leader);
            case STOP -> servers.stop(leader);
            case PAUSE -> servers.pause(leader);
        }
        TimeUnit.MILLISECONDS.sleep(STEADY_MILLIS);
        awaitGrants(watch);
        long gap = watch.longestGapNanos();
        servers.restore(leader);
        return gap;
    }

    private static void awaitGrants(GrantWatch watch) throws InterruptedException {
        long now = System.nanoTime();
        await("all clients have locks", () -> watch.allGrantedAfter(now));
    }

    private static int awaitLeader(PeerSystem system, Servers servers) throws InterruptedException {
        OptionalInt leader = OptionalInt.empty();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SERVICE_SECONDS);
        while (leader.isEmpty()) {
            requireTime("a server leads", end);
            leader = Leaders.find(system, servers);
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return leader.getAsInt();
    }

    private static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SERVICE_SECONDS);
        while (!condition.getAsBoolean()) {
            requireTime(what, end);
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private static void requireTime(String what, long endNanos) {
        if (System.nanoTime() - endNanos > 0) {
            throw new LoadFailure("not so within %d s: %s".formatted(SERVICE_SECONDS, what));
        }
    }

    private Peer client(PeerSystem system, Servers servers, int number) {
        Peer peer = system.connect(servers.endpoints(), number);
        if (peer instanceof RaftLockPeer own) {
            own.client()
                    .addSessionListener(
                            new SessionListener() {
                                @Override
                                public void onLost(LossReason reason) {
                                    lost.incrementAndGet();
                                }
                            });
        }
        return peer;
    }
}
