package io.raftlock.bench.load;

import io.raftlock.bench.peer.Peer;
import io.raftlock.bench.peer.RaftLockPeer;
import io.raftlock.client.LockGrant;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** The {@code load} command. */
@Command(
        name = "load",
        mixinStandardHelpOptions = true,
        description = {
            "Puts closed-loop load on a running cluster: each caller acquires and releases a lock of"
                    + " its own, again and again. Prints cycles (acquire and release) per second"
                    + " and how long they took."
        })
public final class LoadCommand implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final Cell HEAT = Cell.closed(Cell.Mode.ASYNC, 256);
    private static final Duration FIRST_GRANT_BOUND = Duration.ofSeconds(15);

    @Option(
            names = "--endpoints",
            split = ",",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:7401,127.0.0.1:7402,127.0.0.1:7403",
            description = "client addresses of the nodes (default: ${DEFAULT-VALUE})")
    private List<String> endpoints = List.of();

    @Option(
            names = "--callers",
            split = ",",
            paramLabel = "N",
            defaultValue = "16,64",
            description = "numbers of blocking callers; 0 for none (default: ${DEFAULT-VALUE})")
    private List<Integer> callers = List.of();

    @Option(
            names = "--async",
            split = ",",
            paramLabel = "N",
            defaultValue = "256,2048",
            description =
                    "numbers of cycles in flight through the asynchronous methods; 0 for none"
                            + " (default: ${DEFAULT-VALUE})")
    private List<Integer> async = List.of();

    @Option(
            names = "--clients",
            paramLabel = "N",
            defaultValue = "4",
            description =
                    "clients, each with its own session and connection, that the callers are spread"
                            + " over (default: ${DEFAULT-VALUE})")
    private int clientCount;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            defaultValue = "5",
            description = "load before each measurement (default: ${DEFAULT-VALUE})")
    private int warmUpSeconds;

    @Option(
            names = "--measure",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "length of each measurement (default: ${DEFAULT-VALUE})")
    private int measureSeconds;

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new LoadCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws InterruptedException {
        RaftLockPeer first = RaftLockPeer.connect(endpoints, "load-1");
        List<Peer> clients = new ArrayList<>(List.of(first));
        try {
            requireCluster(first);
            for (int i = 2; i <= clientCount; i++) {
                clients.add(RaftLockPeer.connect(endpoints, "load-" + i));
            }
            heat(clients);
            List<String> lines = new ArrayList<>();
            lines.add(ResultTable.head());
            for (Cell cell : cells()) {
                lines.add(ResultTable.line(cell, run(cell, clients)));
            }
            System.out.println();
            lines.forEach(System.out::println);
            return 0;
        } catch (LoadFailure e) {
            System.err.println("load: " + e.getMessage());
            return FAILED;
        } finally {
            clients.forEach(Peer::close);
        }
    }

    /** Without it, blocking callers would look for a cluster for ever. */
    private void requireCluster(RaftLockPeer first) {
        Optional<LockGrant> grant = first.client().lock("load/first").tryAcquire(FIRST_GRANT_BOUND);
        if (grant.isEmpty()) {
            throw new LoadFailure(
                    "no lock to be had within %d s from %s"
                            .formatted(
                                    FIRST_GRANT_BOUND.toSeconds(), String.join(", ", endpoints)));
        }
        grant.get().close();
    }

    /** Else the first cell would pay for the compilation of the nodes' code and of this one's. */
    private void heat(List<Peer> clients) throws InterruptedException {
        new LoadRun(HEAT, System.err)
                .run(clients, Duration.ofSeconds(warmUpSeconds), Duration.ZERO);
    }

    private List<Cell> cells() {
        List<Cell> cells = new ArrayList<>();
        add(cells, Cell.Mode.BLOCKING, callers);
        add(cells, Cell.Mode.ASYNC, async);
        return cells;
    }

    private static void add(List<Cell> cells, Cell.Mode mode, List<Integer> counts) {
        counts.stream().filter(count -> count > 0).forEach(n -> cells.add(Cell.closed(mode, n)));
    }

    private Meter.Measurement run(Cell cell, List<Peer> clients) throws InterruptedException {
        return new LoadRun(cell, System.err)
                .run(
                        clients,
                        Duration.ofSeconds(warmUpSeconds),
                        Duration.ofSeconds(measureSeconds));
    }
}
