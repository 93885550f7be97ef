package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.conf.ConfigurationManager;
import com.alipay.sofa.jraft.entity.EnumOutter;
import com.alipay.sofa.jraft.entity.LogEntry;
import com.alipay.sofa.jraft.entity.LogId;
import com.alipay.sofa.jraft.entity.codec.v2.LogEntryV2CodecFactory;
import com.alipay.sofa.jraft.option.LogStorageOptions;
import com.alipay.sofa.jraft.option.RaftOptions;
import com.alipay.sofa.jraft.storage.LogStorage;
import com.alipay.sofa.jraft.storage.impl.RocksDBLogStorage;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/** The files of a node that does not run, and what can happen to them. */
final class StoredFiles {
    private static final String READERS = "stored-files";

    private StoredFiles() {}

    /** Returns the newest file of that kind. */
    static Path find(Path directory, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.toString().endsWith(ending))
                    .max(Comparator.comparing(Path::toString))
                    .orElseThrow();
        }
    }

    /** WAL files are reserved in advance: beyond what was written there can be zeros. */
    static long lengthOfContent(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int length = bytes.length;
        while (length > 0 && bytes[length - 1] == 0) {
            length--;
        }
        return length;
    }

    static void flipBit(Path file, long at) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.seek(at);
            int before = open.read();
            open.seek(at);
            open.write(before ^ 1);
        }
    }

    /** Loses what was written last, as a crash does. */
    static void cutOff(Path file, long bytes) throws IOException {
        long kept = lengthOfContent(file) - bytes;
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.setLength(kept);
        }
    }

    /** Loses the last sectors that were written, as a disk does without power. */
    static void zeroSectors(Path file, long bytes) throws IOException {
        long end = lengthOfContent(file);
        long from = (end - bytes) / 512 * 512;
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.seek(from);
            open.write(new byte[(int) (end - from)]);
        }
    }

    /** Returns a checksum of each file, by its path. */
    static Map<String, Long> checksums(Path directory) throws IOException {
        Map<String, Long> checksums = new TreeMap<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                CRC32C checksum = new CRC32C();
                checksum.update(Files.readAllBytes(file));
                checksums.put(directory.relativize(file).toString(), checksum.getValue());
            }
        }
        return checksums;
    }

    static void copyTree(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        }
    }

    /** Deletes what is in the directory, and not the directory itself. */
    static void empty(Path directory) throws IOException {
        Files.walkFileTree(
                directory,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.delete(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(Path visited, IOException failure)
                            throws IOException {
                        if (!visited.equals(directory)) {
                            Files.delete(visited);
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    /** Opens the log as the engine does, without a look at damage before. */
    static LogStorage openLog(Path log) {
        try {
            Engine.prepareStorage();
        } catch (NodeStartException impossible) {
            throw new AssertionError(impossible);
        }
        Engine.closures(READERS);
        RaftOptions raft = new RaftOptions();
        raft.setOpenStatistics(false);
        RocksDBLogStorage storage = new RocksDBLogStorage(log.toString(), raft);
        LogStorageOptions options = new LogStorageOptions();
        options.setGroupId(READERS);
        options.setConfigurationManager(new ConfigurationManager());
        options.setLogEntryCodecFactory(LogEntryV2CodecFactory.getInstance());
        assertThat(storage.init(options)).as("log opens").isTrue();
        return storage;
    }

    /** Returns an entry of term 1. */
    static LogEntry entry(long index, byte[] data) {
        LogEntry entry = new LogEntry(EnumOutter.EntryType.ENTRY_TYPE_DATA);
        entry.setId(new LogId(index, 1));
        entry.setData(ByteBuffer.wrap(data));
        return entry;
    }

    /** Returns the positions between the first and the last at which the log has no entry. */
    static List<Long> holesIn(Path log) {
        LogStorage storage = openLog(log);
        try {
            return LongStream.rangeClosed(storage.getFirstLogIndex(), storage.getLastLogIndex())
                    .filter(index -> storage.getEntry(index) == null)
                    .boxed()
                    .toList();
        } finally {
            storage.shutdown();
        }
    }
}
