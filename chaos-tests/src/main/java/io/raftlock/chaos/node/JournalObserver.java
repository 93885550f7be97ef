package io.raftlock.chaos.node;

import io.raftlock.server.raft.EntryObserver;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writes what its node applies to a file, for {@link io.raftlock.chaos.ledger.Journal}. Each entry
 * is with the operating system before it is answered, so whatever ends the process, nothing that a
 * client was told is missing.
 */
public final class JournalObserver implements EntryObserver {
    /** Environment variable with the path of the file, which must not be there yet. */
    public static final String VARIABLE = "RAFTLOCK_JOURNAL";

    private static final int HEADER_BYTES = Long.BYTES + Long.BYTES + Integer.BYTES;
    private static final int USUAL_BYTES = 64 << 10;

    private final @Nullable FileChannel file;
    private ByteBuffer record = ByteBuffer.allocate(USUAL_BYTES);

    /** Writes where the environment says, or nothing if it says nothing. */
    public JournalObserver() {
        this(System.getenv(VARIABLE));
    }

    JournalObserver(@Nullable String path) {
        try {
            file = path == null ? null : create(Path.of(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static FileChannel create(Path path) throws IOException {
        return FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    @Override
    public void applied(long index, long term, ByteBuffer entry) {
        FileChannel to = file;
        if (to == null) {
            return;
        }
        int length = HEADER_BYTES + entry.remaining();
        if (record.capacity() < length) {
            record = ByteBuffer.allocate(length);
        }
        record.clear().putLong(index).putLong(term).putInt(entry.remaining()).put(entry).flip();
        try {
            while (record.hasRemaining()) {
                to.write(record);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
