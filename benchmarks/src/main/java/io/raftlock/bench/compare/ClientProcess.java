package io.raftlock.bench.compare;

import io.raftlock.bench.load.Cell;
import io.raftlock.bench.load.LoadFailure;
import io.raftlock.bench.load.LoadRun;
import io.raftlock.bench.load.MeasurementText;
import io.raftlock.bench.peer.Peer;
import io.raftlock.bench.peer.PeerLock;
import io.raftlock.bench.peer.PeerSystem;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * One caller with a client and a lock of its own, in a process of its own. It says when it is under
 * way, is told when the measurement begins, and says what it measured.
 */
@Command(name = "client-process")
public final class ClientProcess implements Callable<Integer> {
    /** The line that says that the caller is under way. */
    static final String READY = "ready";

    /** Begins the line that has the {@link MeasurementText}. */
    static final String MEASURED = "measured ";

    private static final int FAILED = 1;
    private static final PrintStream QUIET =
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    private static final Cell ONE_CALLER = Cell.closed(Cell.Mode.BLOCKING, 1);

    private final Parent parent = Parent.watch();

    @Option(names = "--system", required = true)
    private PeerSystem system = PeerSystem.RAFT_LOCK;

    @Option(names = "--endpoints", required = true, split = ",")
    private List<String> endpoints = List.of();

    @Option(names = "--number", required = true)
    private int number;

    @Option(names = "--measure-millis", required = true)
    private long measureMillis;

    /** Runs it and ends the process; its exit code is 0 if it was measured. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new ClientProcess()).execute(arguments));
    }

    @Override
    public Integer call() throws InterruptedException {
        Peer own = new OneLock(system.connect(endpoints, number), "load/procs/" + number);
        try {
            System.out.println(
                    MEASURED
                            + MeasurementText.of(
                                    new LoadRun(ONE_CALLER, QUIET)
                                            .run(
                                                    List.of(own),
                                                    this::awaitStart,
                                                    Duration.ofMillis(measureMillis))));
            return 0;
        } catch (LoadFailure e) {
            System.out.println(Worker.FAILURE + OneLine.of(e));
            return FAILED;
        }
    }

    /** All processes of a cell are told the same moment, by the clock of the machine. */
    private void awaitStart() throws InterruptedException {
        System.out.println(READY);
        long startMillis = Long.parseLong(parent.line());
        TimeUnit.MILLISECONDS.sleep(startMillis - System.currentTimeMillis());
    }

    /** A client that has this lock alone, under whatever name it is asked for. */
    private record OneLock(Peer client, String name) implements Peer {
        @Override
        public PeerLock lock(String unused) {
            return client.lock(name);
        }

        @Override
        public void close() {
            client.close();
        }
    }
}
