package io.raftlock.bench.micro;

import io.raftlock.protocol.LockName;
import io.raftlock.server.lock.Applied;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.Outcome;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What a command costs, by how much is in the state already. An invocation applies one entry with
 * {@value #COMMANDS} acquires and one with as many releases.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xmx3g", "-XX:+UseSerialGC"})
public class StateMachineBenchmark {
    private static final int COMMANDS = 32;
    private static final int FEWEST_SESSIONS = 100;

    /** Of which: sessions, locks held, or waiters for one lock. */
    @Param({"SESSIONS", "HOLDS", "WAITERS"})
    public Filling filling = Filling.HOLDS;

    @Param({"1000", "10000", "100000"})
    public int count;

    private FilledState filled = new FilledState(1, 0, 0);
    private final List<LockName> names = new ArrayList<>();

    /** What there is much of. */
    public enum Filling {
        SESSIONS,
        HOLDS,
        WAITERS
    }

    /** Fills the state. */
    @Setup
    public void fill() {
        filled =
                switch (filling) {
                    case SESSIONS -> new FilledState(count, 0, 0);
                    case HOLDS -> new FilledState(FEWEST_SESSIONS, count, 0);
                    case WAITERS -> new FilledState(FEWEST_SESSIONS, 0, count);
                };
        for (int i = 0; i < COMMANDS; i++) {
            names.add(new LockName("free/" + i));
        }
    }

    /** Free locks, acquired and released. */
    @Benchmark
    @OperationsPerInvocation(2 * COMMANDS)
    public Applied command() {
        List<Command> acquires = new ArrayList<>(COMMANDS);
        for (int i = 0; i < COMMANDS; i++) {
            acquires.add(filled.acquire(i, names.get(i)));
        }
        Applied applied = filled.apply(acquires);
        List<Command> releases = new ArrayList<>(COMMANDS);
        for (int i = 0; i < COMMANDS; i++) {
            long token = ((Outcome.Granted) applied.outcomes().get(i)).token();
            releases.add(filled.release(i, (Command.Acquire) acquires.get(i), token));
        }
        return filled.apply(releases);
    }
}
