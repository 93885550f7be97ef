package io.raftlock.bench.scale;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a node has on its disk.
 *
 * @param folder that its configuration names
 */
record NodeDisk(Path folder) {
    private static final String LOG = "log";
    private static final String SNAPSHOTS = "snapshot";

    /** Where the engine writes a snapshot until it is whole. */
    private static final String UNFINISHED = "temp";

    /** Returns how many bytes all files have. */
    long bytes() throws IOException {
        return bytes(folder);
    }

    /** Returns how many bytes the snapshots have, of which there is one but while another comes. */
    long snapshotBytes() throws IOException {
        return bytes(folder.resolve(SNAPSHOTS));
    }

    /** Whether a snapshot is being written, or fetched. */
    boolean isSnapshotUnfinished() {
        return Files.exists(folder.resolve(SNAPSHOTS).resolve(UNFINISHED));
    }

    /** Takes the log and the snapshots away from a node that does not run, and leaves its vote. */
    void empty() throws IOException {
        for (String part : List.of(LOG, SNAPSHOTS)) {
            deleteIn(folder.resolve(part));
        }
    }

    /** Deletes all of a node that never runs again. */
    void delete() throws IOException {
        deleteIn(folder);
    }

    private static void deleteIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                if (!file.equals(folder)) {
                    Files.delete(file);
                }
            }
        }
    }

    private static long bytes(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.mapToLong(NodeDisk::size).sum();
        } catch (UncheckedIOException goneMeanwhile) {
            throw goneMeanwhile.getCause();
        }
    }

    private static long size(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.size(file) : 0;
        } catch (NoSuchFileException gone) {
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
