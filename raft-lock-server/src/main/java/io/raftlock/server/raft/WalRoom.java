package io.raftlock.server.raft;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Keeps zeros at the end of RocksDB's write-ahead log, for RocksDB to write over. A sync of a file
 * that grows has to write its new length too, one request to the disk in three; with room it grows
 * once for very many syncs. After etcd's log, which is filled with zeros in advance too.
 *
 * <p>No write of RocksDB's can be lost to this, by whichever thread: zeros go where the file ends
 * in that moment (O_APPEND), and RocksDB writes to a position of its own, which is never beyond
 * that. Readers take zeros for the end, see {@link WalCheck} for a write that was cut short there.
 *
 * <p>How much room is left is counted and not looked up: to ask a file for its length has the
 * kernel give it a new time with the next write (multigrain timestamps), and write that too.
 */
final class WalRoom implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WalRoom.class);

    /** The disk has all this to write once more; more at a time delays one sync for longer. */
    private static final int ROOM_BYTES = 256 * 1024;

    /** For what is written without being counted, like the end of what was deleted. */
    private static final int LEAST_ROOM_BYTES = 32 * 1024;

    private static final ByteBuffer ZEROS =
            ByteBuffer.allocateDirect(ROOM_BYTES).asReadOnlyBuffer();

    // What RocksDB adds at most to a write and to an entry, beside the headers of its pieces.
    private static final int WRITE_BYTES = 12;
    private static final int ENTRY_BYTES = 1 + 1 + 8 + 5;

    /** After so many writes a new file is looked for, if there is room in the last one still. */
    private static final int LOOK_EVERY_WRITES = 256;

    private final Path directory;
    private long writes;
    private long bytesOfWrite;
    private long leftBytes;
    private @Nullable Path file;
    private @Nullable FileChannel end;

    WalRoom(Path directory) {
        this.directory = directory;
    }

    /** An entry of so many bytes is part of the next write. */
    synchronized void count(int entryBytes) {
        bytesOfWrite += ENTRY_BYTES + entryBytes;
    }

    /**
     * Makes room again if the writes have used it up; called after each. If it cannot, the file
     * grows with each write: slower, and all that is lost.
     */
    synchronized void keep() {
        long pieces = 2 + bytesOfWrite / WalCheck.BLOCK;
        leftBytes -= WRITE_BYTES + bytesOfWrite + pieces * WalCheck.HEADER;
        bytesOfWrite = 0;
        try {
            if (writes++ % LOOK_EVERY_WRITES == 0 || leftBytes < LEAST_ROOM_BYTES) {
                findFile();
                reserve();
            }
        } catch (IOException | UncheckedIOException failed) {
            LOG.debug("No room in the log in {}", directory, failed);
            close();
            // Not tried again with the next write, on a disk that is full for example.
            leftBytes = ROOM_BYTES;
        }
    }

    private void findFile() throws IOException {
        List<Path> files = WalCheck.filesOf(directory);
        Path newest = files.isEmpty() ? null : files.get(files.size() - 1);
        if (newest != null && !newest.equals(file)) {
            close();
            end = FileChannel.open(newest, StandardOpenOption.APPEND);
            file = newest;
        }
    }

    private void reserve() throws IOException {
        if (end != null && leftBytes < LEAST_ROOM_BYTES) {
            leftBytes = Math.max(0, leftBytes) + ROOM_BYTES;
            end.write(ZEROS.duplicate());
        }
    }

    /** The next write is the first to a new file. */
    @Override
    public synchronized void close() {
        FileChannel open = end;
        file = null;
        end = null;
        leftBytes = 0;
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException unimportant) {
            LOG.debug("Cannot close the log in {}", directory, unimportant);
        }
    }
}
