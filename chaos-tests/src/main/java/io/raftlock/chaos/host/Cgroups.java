package io.raftlock.chaos.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Control groups of version 1: one folder each, with files that are read and written. */
final class Cgroups {
    static final Path ROOT = Path.of("/sys/fs/cgroup");
    static final String PROCESSES = "cgroup.procs";
    private static final String FREEZER_STATE = "freezer.state";
    private static final Path OWN = Path.of("/proc/self/cgroup");

    private Cgroups() {}

    /**
     * Returns the group of this process, below which groups for others are made.
     *
     * @param controller such as cpu or freezer
     */
    static Path own(String controller) {
        Path top = ROOT.resolve(controller);
        try {
            return Files.readAllLines(OWN).stream()
                    .map(line -> line.split(":", 3))
                    .filter(fields -> List.of(fields[1].split(",")).contains(controller))
                    .map(fields -> top.resolve(fields[2].substring(1)))
                    .filter(Files::isDirectory)
                    .findFirst()
                    .orElse(top);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Makes a group of its own for something, which is removed with the run.
     *
     * @param controller such as cpu or freezer
     * @param what it is for; its name begins with the run's
     */
    static Path make(Cleanup cleanup, String controller, String what) {
        Path group = own(controller).resolve(cleanup.nameFor(what));
        cleanup.add(Leftover.cgroup(group));
        try {
            Files.createDirectory(group);
            return group;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Moves a process there, with all its threads. */
    static void take(Path group, long pid) {
        write(group, PROCESSES, Long.toString(pid));
    }

    static String read(Path group, String file) {
        try {
            return Files.readString(group.resolve(file)).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void write(Path group, String file, String value) {
        try {
            Files.writeString(group.resolve(file), value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void freeze(Path group) {
        write(group, FREEZER_STATE, "FROZEN");
    }

    static boolean isFrozen(Path group) {
        return read(group, FREEZER_STATE).equals("FROZEN");
    }

    /** Lets a group's processes run again; one of another controller they are not stopped by. */
    static void thaw(Path group) {
        if (Files.exists(group.resolve(FREEZER_STATE))) {
            write(group, FREEZER_STATE, "THAWED");
        }
    }

    /** Gives a group's processes to the group above, so that it can be removed. */
    static void empty(Path group) {
        for (String pid : read(group, PROCESSES).lines().toList()) {
            try {
                Files.writeString(group.resolveSibling(PROCESSES), pid);
            } catch (IOException gone) {
                // It has ended in between: it is in no group.
            }
        }
    }
}
