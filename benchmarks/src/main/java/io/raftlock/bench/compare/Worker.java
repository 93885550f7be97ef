package io.raftlock.bench.compare;

import com.fasterxml.jackson.databind.ObjectMapper;

import io.raftlock.bench.load.Cell;
import io.raftlock.bench.load.LoadFailure;
import io.raftlock.bench.load.LoadRun;
import io.raftlock.bench.load.Meter;
import io.raftlock.bench.peer.Peer;
import io.raftlock.bench.peer.PeerLock;
import io.raftlock.bench.peer.PeerSystem;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * The program that puts load on one system, a process of its own for each: no system's client runs
 * in a virtual machine that another one's has warmed up or littered.
 */
@Command(name = "worker")
public final class Worker implements Callable<Integer> {
    /** Begins each line of the standard output that is a {@link Row}. */
    static final String ROW = "row ";

    /** Begins the last line if not all were measured, and why is the rest of it. */
    static final String FAILURE = "failure ";

    private static final int FAILED = 1;

    private static final Duration FIRST_GRANT_BOUND = Duration.ofSeconds(60);

    @Option(names = "--system", required = true)
    private PeerSystem system = PeerSystem.RAFT_LOCK;

    @Option(names = "--endpoints", required = true, split = ",")
    private List<String> endpoints = List.of();

    @Option(names = "--repeat", required = true)
    private int repeat;

    @Option(names = "--clients", required = true)
    private int clientCount;

    @Option(names = "--heat", required = true)
    private int heatSeconds;

    @Option(names = "--warm-up", required = true)
    private int warmUpSeconds;

    @Option(names = "--measure", required = true)
    private int measureSeconds;

    @Parameters private List<String> cells = List.of();

    /** Runs the cells and ends the process; its exit code is 0 if all were measured. */
    public static void main(String[] arguments) {
        Parent.watch();
        // The clients are not closed: some take long, and keep threads that are not daemons.
        System.exit(new CommandLine(new Worker()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        try {
            measure();
            return 0;
        } catch (LoadFailure e) {
            System.out.println(FAILURE + OneLine.of(e));
            return FAILED;
        }
    }

    private void measure() throws IOException, InterruptedException {
        FirstGrant.await(system.label(), FIRST_GRANT_BOUND, this::takeLock);
        List<Peer> clients = new ArrayList<>();
        for (int i = 1; i <= clientCount; i++) {
            clients.add(system.connect(endpoints, i));
        }
        for (Cell part : Heat.of(system)) {
            new LoadRun(part, System.err).run(clients, Heat.length(heatSeconds), Duration.ZERO);
        }
        ObjectMapper json = new ObjectMapper();
        for (String cell : cells) {
            Row row = row(Cell.parse(cell), clients);
            System.out.println(ROW + json.writeValueAsString(row));
        }
    }

    private Row row(Cell cell, List<Peer> clients) throws IOException, InterruptedException {
        Duration warmUp = Duration.ofSeconds(warmUpSeconds);
        Duration measured = Duration.ofSeconds(measureSeconds);
        Meter.Measurement measurement =
                cell.mode() == Cell.Mode.PROCS
                        // They are as cold as a system's first cell.
                        ? new ClientProcesses(system, endpoints, cell)
                                .run(warmUp.plus(Heat.length(heatSeconds)), measured)
                        : new LoadRun(cell, System.err).run(clients, warmUp, measured);
        return Row.of(system, repeat, cell, measurement);
    }

    private void takeLock() throws Exception {
        try (Peer peer = system.connect(endpoints, 0)) {
            PeerLock lock = peer.lock("load/first");
            lock.acquire();
            lock.release();
        }
    }
}
