package io.raftlock.server.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.server.format.SnapshotCodec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Millions of names, each used once. */
class UsedNamesTest {
    private static final int NAMES = 5_000_000;
    private static final int NAMES_PER_ENTRY = 500;

    /** The smallest thing kept for each name would be fifty times as large. */
    private static final long BYTES_PER_NAME = 1;

    private final LockStateMachine machine = new LockStateMachine();
    private final TestLog log = new TestLog(machine);
    private final TestSession a = log.open();
    private final TestSession b = log.open();

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void fiveMillionNamesLeaveTheStateAndTheHeapAsTheyWere() throws IOException { // E42
        long firstToken = use(0);
        int snapshotBefore = snapshotBytes();
        long heapBefore = usedHeap();
        for (int name = NAMES_PER_ENTRY; name < NAMES; name += NAMES_PER_ENTRY) {
            use(name);
        }
        long grown = usedHeap() - heapBefore;

        assertThat(machine.holdCount()).isZero();
        assertThat(machine.waiterCount()).isZero();
        assertThat(machine.hasDeadlines()).isFalse();
        assertThat((double) snapshotBytes()).isLessThanOrEqualTo(1.1 * snapshotBefore);
        assertThat(grown).isLessThan(Math.max(heapBefore / 10, NAMES * BYTES_PER_NAME));
        assertThat(use(0)).as("token of a name that is used again").isGreaterThan(firstToken);
    }

    /**
     * Uses that many names from the given number on: of five in a row one has a lease, and for one
     * somebody waits.
     *
     * @return the token of the first
     */
    private long use(int from) {
        long index = machine.appliedIndex() + 1;
        a.acknowledge();
        b.acknowledge();
        List<Command> commands = new ArrayList<>();
        for (int i = from; i < from + NAMES_PER_ENTRY; i++) {
            String name = "name-%07d".formatted(i);
            long token = LogPosition.of(index, commands.size()).value();
            commands.add(i % 5 == 0 ? a.lease(name, 1_000) : a.acquire(name));
            if (i % 5 == 1) {
                commands.add(b.acquire(name));
            }
            long passedOn = LogPosition.of(index, commands.size()).value();
            commands.add(a.release(name, token));
            if (i % 5 == 1) {
                commands.add(b.release(name, passedOn));
            }
        }
        Applied applied = machine.apply(index, new Entry(0, commands));
        assertThat(applied.outcomes()).noneMatch(outcome -> outcome.kind() == Outcome.Kind.REFUSED);
        return LogPosition.of(index, 0).value();
    }

    private int snapshotBytes() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        SnapshotCodec.write(machine.snapshot(), bytes);
        return bytes.size();
    }

    private static long usedHeap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
