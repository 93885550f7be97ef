package io.raftlock.bench.micro;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.raftlock.protocol.LockName;
import io.raftlock.protocol.MessageCodec;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.RequestFrame;
import io.raftlock.protocol.SessionId;
import io.raftlock.server.format.EntryCodec;
import io.raftlock.server.format.Formats;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.Entry;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.concurrent.TimeUnit;

/** Commands and requests to bytes, and back. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xmx1g", "-XX:+UseSerialGC"})
public class CodecBenchmark {
    private static final int COMMANDS = 32;
    private static final SessionId SESSION = new SessionId(7);
    private static final LockName NAME = new LockName("orders/42");

    private final Command acquire = new Command.Acquire(SESSION, 9, 8, NAME, 3, true, 0, "");
    private final byte[] entry =
            EntryCodec.encode(new Entry(1, Collections.nCopies(COMMANDS, acquire)));
    private final RequestFrame request =
            new RequestFrame(0, 5, new Request.Acquire(SESSION, 9, 8, NAME, 3, true, 0, ""));
    private final ByteBuf frame = Unpooled.directBuffer(512);
    private final ByteBuf encoded = Unpooled.directBuffer(512);

    /** Fills what is decoded. */
    public CodecBenchmark() {
        MessageCodec.encode(request, encoded);
    }

    /** One command, as the leader puts it into an entry. */
    @Benchmark
    public byte[] encodeCommand() {
        return EntryCodec.encode(acquire);
    }

    /** An entry of many commands, as each node reads it. */
    @Benchmark
    public Entry decodeEntryOf32() {
        return EntryCodec.decode(ByteBuffer.wrap(entry), Formats.NEWEST);
    }

    /** A request, as the client sends it. */
    @Benchmark
    public int encodeRequest() {
        frame.clear();
        MessageCodec.encode(request, frame);
        return frame.readableBytes();
    }

    /** A request, as the node reads it. */
    @Benchmark
    public RequestFrame decodeRequest() {
        return MessageCodec.decodeRequest(encoded.duplicate());
    }
}
