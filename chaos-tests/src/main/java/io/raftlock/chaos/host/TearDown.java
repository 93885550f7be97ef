package io.raftlock.chaos.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Removes leftovers. What is gone already is no failure, and nothing is removed that does not look
 * as if a run had made it.
 */
final class TearDown {
    private static final Duration BOUND = Duration.ofSeconds(5);
    private static final Path NAMESPACES = Path.of("/run/netns");

    private TearDown() {}

    /**
     * Removes all of them, the last first.
     *
     * @return what could not be removed and why, in words
     */
    static List<String> removeAll(List<Leftover> leftovers) {
        List<Leftover> lastFirst = new ArrayList<>(leftovers);
        Collections.reverse(lastFirst);
        // What stands still does not die when it is told to.
        lastFirst.forEach(TearDown::release);
        List<String> failures = new ArrayList<>();
        for (Leftover leftover : lastFirst) {
            try {
                remove(leftover);
            } catch (RuntimeException e) {
                failures.add(leftover.kind() + " " + leftover.name() + ": " + e.getMessage());
            }
        }
        return failures;
    }

    /**
     * Removes one thing.
     *
     * @throws RuntimeException if it is still there
     */
    static void remove(Leftover leftover) {
        String name = leftover.name();
        switch (leftover.kind()) {
            case PROCESS -> kill(new ProcessIdentity(Long.parseLong(name), leftover.detail()));
            case NAMESPACE -> removeNamespace(name);
            case MOUNT -> unmount(Path.of(name), BOUND);
            case CGROUP -> removeCgroup(Path.of(name));
            case FILE -> delete(Path.of(name));
        }
    }

    private static void release(Leftover leftover) {
        Path path = Path.of(leftover.name());
        try {
            if (leftover.kind() == Leftover.Kind.MOUNT) {
                thaw(path);
            } else if (leftover.kind() == Leftover.Kind.CGROUP && Files.isDirectory(path)) {
                Cgroups.thaw(path);
            }
        } catch (RuntimeException e) {
            // Its removal will tell.
        }
    }

    private static void kill(ProcessIdentity process) {
        if (process.isAlive()) {
            Programs.attempt(List.of("kill", "-KILL", Long.toString(process.pid())));
            Await.until("process " + process.pid() + " is gone", BOUND, () -> !process.isAlive());
        }
    }

    private static void removeNamespace(String name) {
        mustBeOurs(name);
        if (!Files.exists(NAMESPACES.resolve(name))) {
            return;
        }
        Programs.Result inside = Programs.attempt(List.of("ip", "netns", "pids", name));
        if (inside.exitCode() == 0) {
            inside.output()
                    .lines()
                    .map(line -> ProcessIdentity.of(Long.parseLong(line.strip())))
                    .flatMap(Optional::stream)
                    .forEach(TearDown::kill);
        }
        Programs.Result deleted = Programs.attempt(List.of("ip", "netns", "del", name));
        if (Files.exists(NAMESPACES.resolve(name))) {
            throw new IllegalStateException("still there: " + deleted.output().strip());
        }
    }

    /**
     * Unmounts what is mounted there, when those who use it have let go.
     *
     * @param bound in which they have to
     */
    static void unmount(Path folder, Duration bound) {
        Optional<Mounts.Mount> mount = Mounts.on(folder);
        if (mount.isEmpty()) {
            return;
        }
        if (!mount.get().isLoop()) {
            throw new IllegalStateException("is not on a loop device: " + mount.get());
        }
        thaw(folder);
        Await.until(
                "nobody uses " + folder + " any more, and it is unmounted",
                bound,
                () -> {
                    Programs.attempt(List.of("umount", folder.toString()));
                    return Mounts.on(folder).isEmpty();
                });
    }

    private static void thaw(Path folder) {
        if (Mounts.on(folder).isPresent()) {
            Programs.attempt(List.of("fsfreeze", "-u", folder.toString()));
        }
    }

    private static void removeCgroup(Path group) {
        mustBeOurs(group.getFileName().toString());
        if (!group.startsWith(Cgroups.ROOT)) {
            throw new IllegalStateException("is not below " + Cgroups.ROOT);
        }
        Await.until("cgroup " + group + " is gone", BOUND, () -> removedCgroup(group));
    }

    private static boolean removedCgroup(Path group) {
        try {
            if (Files.isDirectory(group)) {
                Cgroups.thaw(group);
                Cgroups.empty(group);
            }
            Files.deleteIfExists(group);
            return true;
        } catch (IOException | UncheckedIOException stillUsed) {
            return false;
        }
    }

    private static void delete(Path file) {
        if (!file.toString().endsWith(LoopDisk.IMAGE_SUFFIX)) {
            throw new IllegalStateException("is no image of a disk");
        }
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void mustBeOurs(String name) {
        if (!name.startsWith(Cleanup.NAME_PREFIX)) {
            throw new IllegalStateException("has not the name of something that a run made");
        }
    }
}
