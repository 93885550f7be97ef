package io.raftlock.server.raft;

import io.raftlock.server.format.DamagedSnapshotException;
import io.raftlock.server.format.SnapshotCodec;
import io.raftlock.server.lock.Snapshot;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The one file of ours in a directory of the engine's that is a snapshot. */
final class SnapshotFile {
    static final String NAME = "state";

    private SnapshotFile() {}

    /**
     * Writes the snapshot so that it is on disk when this returns; the engine does not see to it.
     */
    static void write(Snapshot snapshot, Path file) throws IOException {
        try (FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            SnapshotCodec.write(snapshot, Channels.newOutputStream(channel));
            channel.force(true);
        }
    }

    static Snapshot read(Path file, int newestFormat) throws IOException, DamagedSnapshotException {
        try (InputStream in = Files.newInputStream(file)) {
            return SnapshotCodec.read(in, newestFormat);
        }
    }
}
