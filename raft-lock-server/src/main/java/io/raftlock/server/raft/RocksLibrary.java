package io.raftlock.server.raft;

import org.rocksdb.NativeLibraryLoader;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The native half of RocksDB, of which nothing stays on the disk. RocksDB itself leaves 15 MiB in
 * the directory for temporary files whenever a process does not end by itself.
 */
final class RocksLibrary {
    private RocksLibrary() {}

    /**
     * Loads it, unless it is loaded. Comes before anything else that makes RocksDB load it.
     *
     * @param temporary the directory for temporary files
     * @throws NodeStartException if it cannot be unpacked there, or not run
     */
    static void load(Path temporary) throws NodeStartException {
        try {
            Path unpacked = Files.createTempDirectory(temporary, "raft-lock-");
            try {
                NativeLibraryLoader.getInstance().loadLibrary(unpacked.toString());
            } finally {
                // What is loaded needs its file no longer.
                delete(unpacked);
            }
        } catch (IOException | UnsatisfiedLinkError failure) {
            throw new NodeStartException(
                    ("RocksDB's native library cannot be loaded from %s (%s): it takes 15 MiB"
                                    + " of a directory from which programs may run; make it"
                                    + " one, or name another by -Djava.io.tmpdir=DIRECTORY in"
                                    + " RAFT_LOCK_JAVA_OPTS")
                            .formatted(temporary, failure.getMessage()),
                    failure);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
