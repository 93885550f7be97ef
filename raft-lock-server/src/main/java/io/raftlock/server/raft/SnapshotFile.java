package io.raftlock.server.raft;

import io.raftlock.server.format.DamagedSnapshotException;
import io.raftlock.server.format.SnapshotCodec;
import io.raftlock.server.lock.Snapshot;

import java.io.FilterOutputStream;
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

    /** A sync of the log can have to wait until the disk has what is forced here. */
    private static final int FORCED_AT_ONCE_BYTES = 2 << 20;

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
            SnapshotCodec.write(snapshot, new ForcedInPieces(channel));
            channel.force(true);
        }
    }

    private static final class ForcedInPieces extends FilterOutputStream {
        private final FileChannel channel;
        private int unforcedBytes;

        ForcedInPieces(FileChannel channel) {
            super(Channels.newOutputStream(channel));
            this.channel = channel;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
            unforcedBytes += length;
            if (unforcedBytes >= FORCED_AT_ONCE_BYTES) {
                channel.force(false);
                unforcedBytes = 0;
            }
        }
    }

    static Snapshot read(Path file, int newestFormat) throws IOException, DamagedSnapshotException {
        try (InputStream in = Files.newInputStream(file)) {
            return SnapshotCodec.read(in, newestFormat);
        }
    }
}
