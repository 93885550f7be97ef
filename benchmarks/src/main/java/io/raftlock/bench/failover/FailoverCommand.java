package io.raftlock.bench.failover;

import io.raftlock.bench.load.LoadFailure;
import io.raftlock.bench.load.MarkdownTable;
import io.raftlock.bench.load.Median;
import io.raftlock.bench.peer.Peer;
import io.raftlock.bench.peer.PeerSystem;
import io.raftlock.bench.peer.RaftLockPeer;
import io.raftlock.bench.server.Await;
import io.raftlock.bench.server.CableSite;
import io.raftlock.bench.server.Leaders;
import io.raftlock.bench.server.Recipes;
import io.raftlock.bench.server.Servers;
import io.raftlock.bench.server.Site;
import io.raftlock.client.LossReason;
import io.raftlock.client.SessionListener;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** The {@code failover} command. */
@Command(
        name = "failover",
        mixinStandardHelpOptions = true,
        description = {
            "Lets leaders fail under clients that take and give back locks all the time, and prints"
                    + " the longest time that a client was without a grant: the median and the"
                    + " worst of all runs, for raft-lock, ZooKeeper and etcd with their defaults.",
            "CUT runs each server in a network namespace of its own, which takes root, ip"
                    + " (apt-get install iproute2) and nsenter; without them it is left out."
        })
public final class FailoverCommand implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final int CLIENTS = 4;
    private static final Duration SERVICE_BOUND = Duration.ofSeconds(90);
    private static final long STEADY_MILLIS = 3_000;

    /** A server that has just been started is slow, and it may be the next one to lead. */
    private static final long RESTARTED_MILLIS = 10_000;

    private static final long PAUSE_SECONDS = 10;
    private static final double NANOS_PER_SECOND = 1e9;

    /** What happens to the leader. */
    enum Fault {
        /** {@code kill -9}. */
        KILL,
        /** SIGSTOP, for ten seconds. */
        PAUSE,
        /** SIGTERM: it may hand over. */
        STOP,
        /** Its cable is cut for ten seconds: neither the others nor the clients reach it. */
        CUT
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
            description = "for the servers' data (default: benchmarks/target/failover-PID)")
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
        MarkdownTable table =
                new MarkdownTable(
                        List.of(
                                "leader",
                                "system",
                                "median s",
                                "worst s",
                                "sessions lost",
                                "all, s"));
        List<String> missing = new ArrayList<>();
        for (Fault fault : possible()) {
            for (PeerSystem system : systems) {
                if (!Leaders.areKnown(system) || Recipes.missing(system).isPresent()) {
                    System.out.printf("left out: %s%n", system.label());
                    continue;
                }
                try {
                    table.row(row(fault, system, gaps(fault, system)));
                } catch (LoadFailure e) {
                    missing.add("%s %s: %s".formatted(system, fault, e.getMessage()));
                }
            }
        }
        System.out.println();
        System.out.print(table.text());
        missing.forEach(why -> System.err.println("failover: no figures of " + why));
        return missing.isEmpty() ? 0 : FAILED;
    }

    private List<Fault> possible() throws IOException, InterruptedException {
        List<Fault> possible = new ArrayList<>(faults);
        if (possible.contains(Fault.CUT)) {
            CableSite.missing()
                    .ifPresent(
                            why -> {
                                System.out.printf("left out: %s: %s%n", Fault.CUT, why);
                                possible.remove(Fault.CUT);
                            });
        }
        return possible;
    }

    private List<String> row(Fault fault, PeerSystem system, double[] gaps) {
        double[] sorted = gaps.clone();
        Arrays.sort(sorted);
        return List.of(
                fault.name().toLowerCase(Locale.ROOT),
                system.label(),
                text(Median.of(sorted)),
                text(sorted[sorted.length - 1]),
                system == PeerSystem.RAFT_LOCK ? Integer.toString(lost.get()) : "-",
                Arrays.stream(sorted)
                        .mapToObj(FailoverCommand::text)
                        .collect(Collectors.joining(" ")));
    }

    private static String text(double seconds) {
        return String.format(Locale.ROOT, "%.2f", seconds);
    }

    private double[] gaps(Fault fault, PeerSystem system) throws IOException, InterruptedException {
        lost.set(0);
        return switch (fault) {
            case KILL, PAUSE, STOP -> gaps(fault, system, new Site.Loopback());
            case CUT -> {
                try (CableSite site = CableSite.create()) {
                    yield gaps(fault, system, site);
                }
            }
        };
    }

    private double[] gaps(Fault fault, PeerSystem system, Site site)
            throws IOException, InterruptedException {
        Path own = Files.createDirectories(folder).resolve(fault + "-" + system);
        try (Servers servers = Servers.start(system, own, site)) {
            Leaders.await(system, servers);
            List<Peer> clients = new ArrayList<>();
            try {
                for (int i = 0; i < CLIENTS; i++) {
                    clients.add(client(system, servers, i));
                }
                return gaps(fault, system, servers, clients);
            } finally {
                clients.forEach(Peer::close);
            }
        }
    }

    private double[] gaps(Fault fault, PeerSystem system, Servers servers, List<Peer> clients)
            throws IOException, InterruptedException {
        double[] gaps = new double[runs];
        try (GrantWatch watch = new GrantWatch(clients)) {
            for (int run = 0; run < runs; run++) {
                gaps[run] = gap(fault, system, servers, watch) / NANOS_PER_SECOND;
                System.out.printf("%s %s %d/%d: %.2f s%n", system, fault, run + 1, runs, gaps[run]);
            }
        }
        return gaps;
    }

    private static long gap(Fault fault, PeerSystem system, Servers servers, GrantWatch watch)
            throws IOException, InterruptedException {
        awaitGrants(watch);
        int leader = Leaders.await(system, servers);
        TimeUnit.MILLISECONDS.sleep(STEADY_MILLIS);
        watch.forget();
        switch (fault) {
            case KILL -> servers.kill(leader);
            case STOP -> servers.stop(leader);
            case PAUSE -> {
                servers.pause(leader);
                TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
                // Clients that wait for its answer without a deadline get nowhere before.
                servers.restore(leader);
            }
            case CUT -> {
                servers.cut(leader);
                TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
                servers.mend(leader);
            }
        }
        TimeUnit.MILLISECONDS.sleep(STEADY_MILLIS);
        awaitGrants(watch);
        long gap = watch.longestGapNanos();
        servers.restore(leader);
        TimeUnit.MILLISECONDS.sleep(RESTARTED_MILLIS);
        return gap;
    }

    private static void awaitGrants(GrantWatch watch) throws InterruptedException {
        long now = System.nanoTime();
        Await.until("all clients have locks", SERVICE_BOUND, () -> watch.allGrantedAfter(now));
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
