package io.raftlock.server.raft;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes small files. */
final class DurableFile {
    /** What the name of a file ends with until it is whole. */
    static final String DRAFT = ".new";

    private DurableFile() {}

    /** Puts the file there whole or not at all, also if the machine stops meanwhile. */
    static void write(Path file, byte[] content) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + DRAFT);
        Files.write(draft, content);
        force(draft, StandardOpenOption.WRITE);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        force(file.resolveSibling("."), StandardOpenOption.READ);
    }

    /** Takes the file away, if it is there, so that it does not come back. */
    static void delete(Path file) throws IOException {
        if (Files.deleteIfExists(file)) {
            force(file.resolveSibling("."), StandardOpenOption.READ);
        }
    }

    private static void force(Path path, OpenOption mode) throws IOException {
        try (FileChannel channel = FileChannel.open(path, mode)) {
            channel.force(true);
        }
    }
}
