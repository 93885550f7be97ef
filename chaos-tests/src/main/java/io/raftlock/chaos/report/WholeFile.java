package io.raftlock.chaos.report;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes files that are there whole or not at all. */
final class WholeFile {
    private WholeFile() {}

    /** What a file is to hold. */
    interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /**
     * Writes a file, in the place of one that may be there.
     *
     * @throws IOException if it cannot be written; what was there before is there still
     */
    static void write(Path file, Content content) throws IOException {
        Path partial = file.resolveSibling(file.getFileName() + ".partial");
        try {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(partial))) {
                content.writeTo(out);
            }
            Files.move(
                    partial,
                    file,
                    StandardCopyOption.REPLACE_EXISTING,
                    StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(partial);
        }
    }
}
