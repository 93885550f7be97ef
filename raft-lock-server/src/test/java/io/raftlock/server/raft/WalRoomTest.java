package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.entity.LogEntry;
import com.alipay.sofa.jraft.storage.LogStorage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;

/** A log of RocksDB's that has room. */
@Timeout(60)
class WalRoomTest {
    private static final int ROOM_BYTES = 256 * 1024;

    /** What the engine adds to the data of an entry. */
    private static final int ENVELOPE_BYTES = 20;

    /** What is done with a log that is open. */
    private interface Use {
        void of(LogStorage storage, WalRoom room) throws IOException;
    }

    @TempDir Path root;

    private static void withLog(Path log, Use use) throws IOException {
        LogStorage storage = StoredFiles.openLog(log);
        try (WalRoom room = new WalRoom(log)) {
            use.of(storage, room);
        } finally {
            storage.shutdown();
        }
    }

    private static LogEntry entry(long index, int bytes) {
        byte[] data = new byte[bytes];
        for (int at = 0; at < bytes; at++) {
            data[at] = (byte) (index + at);
        }
        return StoredFiles.entry(index, data);
    }

    private static void append(LogStorage storage, WalRoom room, long from, long to, int bytes) {
        for (long index = from; index <= to; index++) {
            assertThat(storage.appendEntries(List.of(entry(index, bytes)))).isEqualTo(1);
            room.count(bytes + ENVELOPE_BYTES);
            room.keep();
        }
    }

    /** What a machine finds that lost its power: the files as they are, open. */
    private Path crashed(Path log, String name) throws IOException {
        Path copy = root.resolve(name);
        StoredFiles.copyTree(log, copy);
        WalCheck.Found found = WalCheck.look(copy);
        assertThat(found.damage()).isEmpty();
        found.cutUnfinished();
        return copy;
    }

    private static void assertHas(Path log, long last, int bytes) {
        LogStorage storage = StoredFiles.openLog(log);
        try {
            assertThat(storage.getLastLogIndex()).isEqualTo(last);
            assertThat(LongStream.rangeClosed(1, last))
                    .allSatisfy(
                            index ->
                                    assertThat(storage.getEntry(index).getData())
                                            .isEqualTo(entry(index, bytes).getData()));
        } finally {
            storage.shutdown();
        }
    }

    @Test
    void theFileGrowsOnceForManyWrites() throws IOException {
        Path log = root.resolve("log");
        withLog(
                log,
                (storage, room) -> {
                    append(storage, room, 1, 1, 300);
                    Path file = StoredFiles.find(log, ".log");
                    long size = Files.size(file);
                    assertThat(size).isGreaterThanOrEqualTo(ROOM_BYTES);
                    append(storage, room, 2, 500, 300);
                    assertThat(Files.size(file)).isEqualTo(size);
                    append(storage, room, 501, 1_500, 300);
                    assertThat(Files.size(file)).isGreaterThan(size);
                    assertThat(Files.size(file) - StoredFiles.lengthOfContent(file))
                            .isBetween(1L, 2L * ROOM_BYTES);
                    assertHas(crashed(log, "crashed"), 1_500, 300);
                });
        assertHas(log, 1_500, 300);
    }

    @Test
    void whatIsWrittenOverTheEndOfTheRoomIsWhole() throws IOException {
        Path log = root.resolve("log");
        withLog(
                log,
                (storage, room) -> {
                    append(storage, room, 1, 40, 70_000);
                    assertHas(crashed(log, "crashed"), 40, 70_000);
                });
    }

    @Test
    void aWriteThatWasCutShortIsForgottenAndTheLogGoesOn() throws IOException {
        Path log = root.resolve("log");
        withLog(
                log,
                (storage, room) -> {
                    append(storage, room, 1, 30, 5_000);
                    for (int lost : new int[] {512, 1_024, 4_096}) {
                        loseAndGoOn(log, lost);
                    }
                });
    }

    private void loseAndGoOn(Path log, int lost) throws IOException {
        Path torn = root.resolve("torn-" + lost);
        StoredFiles.copyTree(log, torn);
        StoredFiles.zeroSectors(StoredFiles.find(torn, ".log"), lost);
        Path opened = crashed(torn, "opened-" + lost);
        assertHas(opened, 29, 5_000);
        withLog(opened, (storage, room) -> append(storage, room, 30, 35, 5_000));
        assertHas(opened, 35, 5_000);
    }

    @Test
    void aNewFileHasRoomToo() throws IOException {
        Path log = root.resolve("log");
        withLog(
                log,
                (storage, room) -> {
                    append(storage, room, 1, 10, 300);
                    Path first = StoredFiles.find(log, ".log");
                    // More than RocksDB keeps in memory.
                    append(storage, room, 11, 60, 500_000);
                    append(storage, room, 61, 400, 300);
                    Path last = StoredFiles.find(log, ".log");
                    assertThat(last).isNotEqualTo(first);
                    assertThat(Files.size(last) - StoredFiles.lengthOfContent(last)).isPositive();
                });
    }

    @Test
    void withoutAFileNothingHappens() throws IOException {
        try (WalRoom room = new WalRoom(root.resolve("none"))) {
            room.keep();
            Files.createDirectory(root.resolve("none"));
            room.keep();
            assertThat(root.resolve("none")).isEmptyDirectory();
        }
    }
}
