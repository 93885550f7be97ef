package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.entity.EnumOutter;
import com.alipay.sofa.jraft.entity.LogEntry;
import com.alipay.sofa.jraft.entity.LogId;
import com.alipay.sofa.jraft.storage.LogStorage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/** Logs as RocksDB writes them. */
class WalCheckTest {
    private static final int ENTRIES = 20;

    @TempDir Path root;

    /** Writes entries of which some do not fit into one block. */
    private Path writtenLog(int entries, int bytesOfEach) {
        Path log = root.resolve("log");
        LogStorage storage = StoredFiles.openLog(log);
        Random random = new Random(3);
        for (int index = 1; index <= entries; index++) {
            byte[] data = new byte[bytesOfEach + random.nextInt(100)];
            random.nextBytes(data);
            LogEntry entry = new LogEntry(EnumOutter.EntryType.ENTRY_TYPE_DATA);
            entry.setId(new LogId(index, 1));
            entry.setData(ByteBuffer.wrap(data));
            assertThat(storage.appendEntry(entry)).isTrue();
        }
        storage.shutdown();
        return log;
    }

    @Test
    void aLogThatIsWholeIsNotDamaged() throws IOException {
        assertThat(WalCheck.damageIn(root.resolve("none"))).isEmpty();
        assertThat(WalCheck.damageIn(root)).isEmpty();
        assertThat(WalCheck.damageIn(writtenLog(300, 1_000))).isEmpty();
    }

    /** RocksDB forgets the rest of the log over some of these, and over others it never ends. */
    @Test
    void everyFlippedBitBeforeTheLastRecordIsFound() throws IOException { // E18
        byte[] whole = writtenFile();
        int last = startOfLastRecord(whole);
        for (int at = 0; at < last; at++) {
            assertEachBitIsFound(whole, at);
        }
    }

    @Test
    void aFlippedBitInLengthOrTypeOfTheLastRecordIsFound() throws IOException { // E18
        byte[] whole = writtenFile();
        int last = startOfLastRecord(whole);
        for (int at = last + 4; at < last + 7; at++) {
            assertEachBitIsFound(whole, at);
        }
    }

    private byte[] writtenFile() throws IOException {
        return Files.readAllBytes(StoredFiles.find(writtenLog(ENTRIES, 60), ".log"));
    }

    private static void assertEachBitIsFound(byte[] whole, int at) {
        for (int bit = 0; bit < 8; bit++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= (byte) (1 << bit);
            assertThat(WalCheck.damageIn(damaged)).as("bit %d of byte %d", bit, at).isPresent();
        }
    }

    @Test
    void aBlockThatIsZeroInTheMiddleIsDamage() throws IOException {
        Path log = writtenLog(200, 1_000);
        Path file = StoredFiles.find(log, ".log");
        byte[] bytes = Files.readAllBytes(file);
        Arrays.fill(bytes, 64 * 1024, 96 * 1024, (byte) 0);
        Files.write(file, bytes);
        assertThat(WalCheck.damageIn(log))
                .hasValueSatisfying(
                        text ->
                                assertThat(text)
                                        .contains(file.getFileName().toString())
                                        .contains("is damaged at byte"));
    }

    @Test
    void anUnfinishedLastWriteIsNoDamage() throws IOException {
        byte[] whole = writtenFile();
        int last = startOfLastRecord(whole);
        for (int length = whole.length - 1; length >= last; length--) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThat(WalCheck.damageIn(cut)).as("cut at %d", length).isEmpty();
            byte[] reserved = Arrays.copyOf(cut, whole.length + 500);
            assertThat(WalCheck.damageIn(reserved)).as("zeros from %d on", length).isEmpty();
        }
    }

    @Test
    void aFileThatIsFollowedByAnotherCannotEndUnfinished() throws IOException {
        Path log = writtenLog(40, 1_000);
        Path file = StoredFiles.find(log, ".log");
        byte[] whole = Files.readAllBytes(file);
        Path next = log.resolve("999999.log");
        Files.write(next, whole);
        assertThat(WalCheck.damageIn(log)).isEmpty();
        Files.write(file, Arrays.copyOf(whole, whole.length - 5));
        assertThat(WalCheck.damageIn(log)).isPresent();
        Files.write(next, new byte[0]);
        assertThat(WalCheck.damageIn(log)).isEmpty();
    }

    /** Follows the lengths in the headers; a record here does not end at the border of a block. */
    private static int startOfLastRecord(byte[] bytes) {
        int at = 0;
        while (true) {
            int length = (bytes[at + 4] & 0xff) | (bytes[at + 5] & 0xff) << 8;
            int next = at + 7 + length;
            if (32 * 1024 - next % (32 * 1024) < 7) {
                next += 32 * 1024 - next % (32 * 1024);
            }
            if (next >= bytes.length) {
                return at;
            }
            at = next;
        }
    }
}
