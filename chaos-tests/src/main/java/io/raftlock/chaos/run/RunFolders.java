package io.raftlock.chaos.run;

import io.raftlock.chaos.host.Folders;
import io.raftlock.chaos.report.Report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;

/** What runs leave on the disk. */
final class RunFolders {
    private static final Set<String> KEPT =
            Set.of(
                    ChaosRun.SCHEDULE,
                    Report.RESULTS,
                    Report.SUMMARY,
                    Report.LATENCY,
                    Report.RATE,
                    Report.TIMELINE);

    private RunFolders() {}

    /** Leaves the report alone of a run that found nothing. */
    static void thin(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            for (Path each : all.filter(file -> !isKept(file)).toList()) {
                Folders.delete(each);
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
        Folders.delete(own);
        return own;
    }
}
