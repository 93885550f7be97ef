package io.raftlock.chaos.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What is mounted where, as this process sees it. */
final class Mounts {
    private static final Path INFO = Path.of("/proc/self/mountinfo");
    private static final String LOOP = "/dev/loop";
    private static final int DEVICE_FIELD = 2;
    private static final int PATH_FIELD = 4;
    private static final String TYPE_FOLLOWS = " - ";

    private Mounts() {}

    /**
     * One mount.
     *
     * @param device as major:minor
     * @param type of the file system
     * @param source that is mounted, such as {@code /dev/loop3}
     */
    record Mount(String path, String device, String type, String source) {
        boolean isLoop() {
            return source.startsWith(LOOP);
        }
    }

    /** Returns what is mounted on this folder, the last if several are, or nothing. */
    static Optional<Mount> on(Path folder) {
        String path = folder.toAbsolutePath().normalize().toString();
        try {
            return Files.readAllLines(INFO).stream()
                    .map(Mounts::parse)
                    .filter(mount -> mount.path().equals(path))
                    .reduce((first, last) -> last);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Mount parse(String line) {
        String[] fields = line.split(" ", -1);
        String[] after = line.substring(line.indexOf(TYPE_FOLLOWS) + 3).split(" ", -1);
        // The kernel writes a blank in a path as \040.
        return new Mount(
                fields[PATH_FIELD].replace("\\040", " "), fields[DEVICE_FIELD], after[0], after[1]);
    }
}
