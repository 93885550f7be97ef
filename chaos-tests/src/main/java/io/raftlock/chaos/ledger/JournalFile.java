package io.raftlock.chaos.ledger;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Iterator;

/**
 * A journal that a node's process has left. Its file is closed when it has been read.
 *
 * @param file called by the node and the number of its life
 */
public record JournalFile(Path file) implements JournalSource {
    private static final String SUFFIX = ".journal";

    @Override
    public String name() {
        String name = file.getFileName().toString();
        return name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
    }

    /**
     * @throws UncheckedIOException if the file cannot be read, or is no journal
     */
    @Override
    public Iterator<Recorded> open() {
        try {
            return Journal.open(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
