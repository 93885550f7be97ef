package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.storage.LogStorage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/** Logs as RocksDB writes them. */
class WalCheckTest {
    private static final int ENTRIES = 20;
    private static final int SECTOR = 512;
    private static final int FULL = 1;
    private static final int FIRST = 2;

    @TempDir Path root;

    /** Writes entries of which some do not fit into one block. */
    private Path writtenLog(int entries, int bytesOfEach) {
        Path log = root.resolve("log");
        LogStorage storage = StoredFiles.openLog(log);
        Random random = new Random(3);
        for (int index = 1; index <= entries; index++) {
            byte[] data = new byte[bytesOfEach + random.nextInt(100)];
            random.nextBytes(data);
            assertThat(storage.appendEntry(StoredFiles.entry(index, data))).isTrue();
        }
        storage.shutdown();
        return log;
    }

    @Test
    void aLogThatIsWholeIsNotDamaged() throws IOException {
        assertThat(WalCheck.look(root.resolve("none")).damage()).isEmpty();
        assertThat(WalCheck.look(root).damage()).isEmpty();
        assertThat(WalCheck.look(writtenLog(300, 1_000)).damage()).isEmpty();
    }

    /** RocksDB forgets the rest of the log over some of these, and over others it never ends. */
    @Test
    void everyFlippedBitIsFound() throws IOException { // E18
        byte[] whole = writtenFile(60);
        for (int at = 0; at < whole.length; at++) {
            assertEachBitIsFound(whole, at);
        }
    }

    @Test
    void aFlippedBitBeforeReservedZerosIsFound() throws IOException { // E18
        byte[] whole = writtenFile(60);
        byte[] reserved = Arrays.copyOf(whole, whole.length + 100_000);
        for (int at = startOfLastRecord(whole); at < whole.length; at++) {
            assertEachBitIsFound(reserved, at);
        }
    }

    private byte[] writtenFile(int bytesOfEach) throws IOException {
        return Files.readAllBytes(StoredFiles.find(writtenLog(ENTRIES, bytesOfEach), ".log"));
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
        assertThat(WalCheck.look(log).damage())
                .hasValueSatisfying(
                        text ->
                                assertThat(text)
                                        .contains(file.getFileName().toString())
                                        .contains("is damaged at byte"));
    }

    @Test
    void anUnfinishedLastWriteIsNoDamage() throws IOException {
        byte[] whole = writtenFile(2_000);
        int last = startOfLastRecord(whole);
        for (int length = whole.length - 1; length >= last; length--) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThat(WalCheck.damageIn(cut)).as("cut at %d", length).isEmpty();
        }
    }

    @Test
    void aLastWriteOfWhichTheDiskHasNotAllSectorsIsNoDamage() throws IOException {
        byte[] whole = writtenFile(3_000);
        int last = startOfLastRecord(whole);
        byte[] reserved = Arrays.copyOf(whole, whole.length + 100_000);
        int first = last / SECTOR;
        int count = (whole.length - 1) / SECTOR - first + 1;
        assertThat(count).isBetween(5, 8);
        for (int written = 0; written < (1 << count) - 1; written++) {
            byte[] torn = reserved.clone();
            for (int sector = 0; sector < count; sector++) {
                if ((written & 1 << sector) == 0) {
                    int from = Math.max(last, (first + sector) * SECTOR);
                    Arrays.fill(torn, from, (first + sector + 1) * SECTOR, (byte) 0);
                }
            }
            assertThat(WalCheck.damageIn(torn)).as("sectors %x", written).isEmpty();
        }
    }

    @Test
    void whatIsUnfinishedIsCutOffWithAllItsPieces() throws IOException {
        Path log = writtenLog(ENTRIES, 3_000);
        Path file = StoredFiles.find(log, ".log");
        byte[] whole = Files.readAllBytes(file);
        int border = 32 * 1024;
        int lastFirst = startOfPieces(whole, border);
        Files.write(file, Arrays.copyOf(Arrays.copyOf(whole, border), whole.length));
        assertThat(WalCheck.look(log).damage()).isEmpty();
        WalCheck.look(log).cutUnfinished();
        assertThat(file).hasBinaryContent(Arrays.copyOf(whole, lastFirst));

        WalCheck.look(log).cutUnfinished();
        assertThat(file).hasBinaryContent(Arrays.copyOf(whole, lastFirst));
        LogStorage storage = StoredFiles.openLog(log);
        assertThat(storage.getLastLogIndex()).isBetween(1L, ENTRIES - 1L);
        storage.shutdown();
    }

    @Test
    void aFileThatIsFollowedByAnotherCannotEndUnfinished() throws IOException {
        Path log = writtenLog(40, 1_000);
        Path file = StoredFiles.find(log, ".log");
        byte[] whole = Files.readAllBytes(file);
        Path next = log.resolve("999999.log");
        Files.write(next, whole);
        assertThat(WalCheck.look(log).damage()).isEmpty();
        Files.write(file, Arrays.copyOf(whole, 32 * 1024));
        assertThat(WalCheck.look(log).damage()).as("ends with the first piece of two").isPresent();
        Files.write(file, Arrays.copyOf(whole, whole.length - 5));
        assertThat(WalCheck.look(log).damage()).isPresent();
        Files.write(next, new byte[0]);
        assertThat(WalCheck.look(log).damage()).isEmpty();
    }

    private static int startOfLastRecord(byte[] bytes) {
        return startOfPieces(bytes, bytes.length);
    }

    /** Follows the lengths in the headers to the record that reaches to the end or beyond it. */
    private static int startOfPieces(byte[] bytes, int end) {
        int at = 0;
        int start = 0;
        while (true) {
            if (bytes[at + 6] == FULL || bytes[at + 6] == FIRST) {
                start = at;
            }
            int length = (bytes[at + 4] & 0xff) | (bytes[at + 5] & 0xff) << 8;
            int next = at + 7 + length;
            if (32 * 1024 - next % (32 * 1024) < 7) {
                next += 32 * 1024 - next % (32 * 1024);
            }
            if (next >= end) {
                return start;
            }
            at = next;
        }
    }
}
