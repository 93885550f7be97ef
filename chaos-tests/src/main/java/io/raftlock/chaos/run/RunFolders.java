package io.raftlock.chaos.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What runs leave on the disk. */
final class RunFolders {
    private static final Set<String> KEPT =
            Set.of(
                    ChaosRun.SCHEDULE,
                    "results.json",
                    "summary.txt",
                    "latency.png",
                    "rate.png",
                    "timeline.html");

    private RunFolders() {}

    /** Leaves the report alone of a run that found nothing. */
    static void thin(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            for (Path each : all.filter(file -> !isKept(file)).toList()) {
                delete(each);
            }
        }
    }

    private static boolean isKept(Path file) {
        return KEPT.contains(file.getFileName().toString());
    }

    /**
     * Returns the folder for a run that always has the same name, without what the last one left.
     */
    static Path fresh(Path folder, String name) throws IOException {
        Path own = folder.resolve(name);
        if (Files.exists(own)) {
            delete(own);
        }
        return own;
    }

    /** Deletes a file, or a folder with all that is in it. */
    static void delete(Path top) throws IOException {
        List<Path> all;
        try (Stream<Path> walked = Files.walk(top)) {
            all = walked.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : all) {
            Files.deleteIfExists(each);
        }
    }
}
