package io.raftlock.chaos.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What the JDK has no method for. */
public final class Folders {
    private Folders() {}

    /**
     * Deletes a file, or a folder with all that is in it; nothing happens if it is not there.
     *
     * @throws IOException if something of it cannot be deleted
     */
    public static void delete(Path top) throws IOException {
        if (!Files.exists(top)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> walked = Files.walk(top)) {
            all = walked.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : all) {
            Files.deleteIfExists(each);
        }
    }
}
