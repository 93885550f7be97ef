package io.raftlock.chaos.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * One process, which is not mistaken for a later one of the same id.
 *
 * @param born when it was started, in ticks since the machine was, and which start of the machine
 */
record ProcessIdentity(long pid, String born) {
    private static final Path PROC = Path.of("/proc");

    /** States of a process of which only the exit code is left. */
    private static final Set<String> ENDED = Set.of("Z", "X");

    /** Where the start is in {@code /proc/PID/stat}, counted from behind the name. */
    private static final int START_FIELD = 19;

    /** Returns the process that has this id now, or nothing; one that has ended is none. */
    static Optional<ProcessIdentity> of(long pid) {
        try {
            String stat = Files.readString(PROC.resolve(pid + "/stat"));
            // The name comes in brackets, and may have blanks and brackets itself.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            if (ENDED.contains(fields[0])) {
                return Optional.empty();
            }
            return Optional.of(
                    new ProcessIdentity(pid, fields[START_FIELD] + "@" + startOfMachine()));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    static ProcessIdentity ofThis() {
        return of(ProcessHandle.current().pid())
                .orElseThrow(() -> new IllegalStateException("cannot read /proc/self/stat"));
    }

    boolean isAlive() {
        return of(pid).equals(Optional.of(this));
    }

    private static String startOfMachine() throws IOException {
        return Files.readString(PROC.resolve("sys/kernel/random/boot_id")).strip();
    }
}
