package io.raftlock.chaos.ledger;

import io.raftlock.chaos.ledger.JournalSource.Recorded;

import org.jspecify.annotations.Nullable;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Reads the entries that one life of a node has applied, in their order, one at a time. A last
 * record that is not whole is left out: its node was killed while it wrote it.
 */
public final class Journal implements Iterator<Recorded>, AutoCloseable {
    private static final int MOST_BYTES = 64 << 20;

    private final Path path;
    private final DataInputStream in;
    private @Nullable Recorded next;

    private Journal(Path path) throws IOException {
        this.path = path;
        in = new DataInputStream(new BufferedInputStream(Files.newInputStream(path)));
        next = read();
    }

    /**
     * Opens the file.
     *
     * @throws IOException if it cannot be read
     */
    public static Journal open(Path path) throws IOException {
        return new Journal(path);
    }

    @Override
    public boolean hasNext() {
        return next != null;
    }

    /**
     * @throws UncheckedIOException if the file cannot be read, or is no journal
     */
    @Override
    public Recorded next() {
        Recorded found = next;
        if (found == null) {
            throw new NoSuchElementException(path + " has ended");
        }
        try {
            next = read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private @Nullable Recorded read() throws IOException {
        try {
            long index = in.readLong();
            long term = in.readLong();
            int length = in.readInt();
            if (index <= 0 || length < 0 || length > MOST_BYTES) {
                throw new IOException(
                        "%s is no journal: entry %d has length %d".formatted(path, index, length));
            }
            byte[] entry = new byte[length];
            in.readFully(entry);
            return new Recorded(index, term, entry);
        } catch (EOFException over) {
            in.close();
            return null;
        }
    }
}
