package io.raftlock.bench.micro;

import io.raftlock.server.format.DamagedSnapshotException;
import io.raftlock.server.format.Formats;
import io.raftlock.server.format.SnapshotCodec;
import io.raftlock.server.lock.LockStateMachine;
import io.raftlock.server.lock.Snapshot;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Taking, writing, reading and loading a snapshot, by the numbers of sessions and held locks. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5)
@Measurement(iterations = 10)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xmx4g", "-XX:+UseSerialGC"})
public class SnapshotBenchmark {
    @Param({"1000", "100000"})
    public int sessions;

    @Param({"100000", "1000000"})
    public int holds;

    private LockStateMachine state = new LockStateMachine();
    private Snapshot snapshot = state.snapshot();
    private byte[] bytes = {};

    /** Fills the state. */
    @Setup
    public void fill() throws IOException {
        state = new FilledState(sessions, holds, 0).state();
        snapshot = state.snapshot();
        bytes = write();
    }

    /** What commands have to wait for. */
    @Benchmark
    public Snapshot take() {
        return state.snapshot();
    }

    /** To bytes. */
    @Benchmark
    public byte[] write() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(Math.max(32, bytes.length));
        SnapshotCodec.write(snapshot, out);
        return out.toByteArray();
    }

    /** From bytes to a state that is ready. */
    @Benchmark
    public LockStateMachine load() throws DamagedSnapshotException {
        return new LockStateMachine(
                SnapshotCodec.read(new ByteArrayInputStream(bytes), Formats.NEWEST));
    }
}
