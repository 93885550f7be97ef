package io.raftlock.chaos.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Undoes what a run does to this machine: when it is closed, when this process ends, or, if this
 * process is killed, when the next one starts. For that each thing is written down, in a file,
 * before it is made. Any thread may call.
 */
public final class Cleanup implements AutoCloseable {
    /** With which the names of all things begin that are not in a folder of the run. */
    static final String NAME_PREFIX = "rl-";

    private static final String SUFFIX = ".leftovers";
    private static final AtomicInteger RUNS = new AtomicInteger();

    private final String runId;
    private final Path file;
    private final List<Leftover> leftovers = new CopyOnWriteArrayList<>();
    private final Thread hook = new Thread(this::atExit, "cleanup");

    private Cleanup(String runId, Path file) {
        this.runId = runId;
        this.file = file;
    }

    /** Returns the folder for what runs of this user leave. */
    public static Path defaultFolder() {
        return Path.of(
                System.getProperty("java.io.tmpdir"),
                "raftlock-chaos-" + System.getProperty("user.name"));
    }

    /**
     * Begins a run.
     *
     * @param folder in which the runs of all processes write down what they make
     */
    public static Cleanup open(Path folder) {
        String runId = newRunId();
        Path file = folder.resolve(runId + SUFFIX);
        try {
            Files.createDirectories(folder);
            Path draft = folder.resolve(runId + ".draft");
            Files.writeString(draft, Leftover.process(ProcessIdentity.ofThis()).line() + "\n");
            // Who looks at the file sees whose it is.
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Cleanup cleanup = new Cleanup(runId, file);
        Runtime.getRuntime().addShutdownHook(cleanup.hook);
        return cleanup;
    }

    /**
     * Removes what is left of runs whose process is gone, and leaves all others alone.
     *
     * @param folder as in {@link #open}
     * @return what could not be removed and why, in words; it is tried again the next time
     */
    public static List<String> afterCrash(Path folder) {
        List<String> failures = new ArrayList<>();
        for (Path file : files(folder)) {
            try {
                failures.addAll(removeIfOrphaned(file));
            } catch (IOException | RuntimeException e) {
                failures.add(file + ": " + e);
            }
        }
        return failures;
    }

    /** Returns the run's name, which no other on this machine has. */
    public String runId() {
        return runId;
    }

    /** Ends the process with the run, if it runs then. */
    public void process(long pid) {
        ProcessIdentity.of(pid).map(Leftover::process).ifPresent(this::add);
    }

    /**
     * Removes a network namespace with the run, and whatever runs in it.
     *
     * @return the name under which it is to be made
     */
    public String namespace(String what) {
        String name = nameFor(what);
        add(Leftover.namespace(name));
        return name;
    }

    /**
     * Removes network namespaces of this run at once.
     *
     * @param names that {@link #namespace} returned
     * @return what could not be removed and why, in words
     */
    public List<String> removeNamespaces(List<String> names) {
        return TearDown.removeAll(names.stream().map(Leftover::namespace).toList());
    }

    /** Returns the name for a namespace or a cgroup of this run. */
    String nameFor(String what) {
        return NAME_PREFIX + runId + "-" + what;
    }

    /**
     * Writes a thing down; it is made after that.
     *
     * @throws UncheckedIOException if it cannot be written down, or if all was undone already
     */
    void add(Leftover leftover) {
        try {
            Files.writeString(file, leftover.line() + "\n", StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        leftovers.add(leftover);
    }

    /**
     * Undoes everything, the last first.
     *
     * @throws IllegalStateException if something could not be undone; the rest is
     */
    @Override
    public void close() {
        List<String> failures = undo();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException exiting) {
            // The hook runs, or has run.
        }
        if (!failures.isEmpty()) {
            throw new IllegalStateException("left on this machine: " + failures);
        }
    }

    // Two threads may be here when the process ends. Both do all of it: then whoever is through
    // knows that it is done.
    private List<String> undo() {
        List<String> failures = TearDown.removeAll(leftovers);
        if (failures.isEmpty()) {
            delete(file);
        }
        return failures;
    }

    private void atExit() {
        List<String> failures = undo();
        if (!failures.isEmpty()) {
            System.err.println("left on this machine: " + failures);
        }
    }

    private static List<String> removeIfOrphaned(Path file) throws IOException {
        if (!Files.getOwner(file).equals(Files.getOwner(Path.of("/proc/self")))) {
            // Anyone may write into a folder for temporary files; we do not do as they say.
            return List.of();
        }
        List<Leftover> all = Files.readAllLines(file).stream().map(Leftover::parse).toList();
        Leftover owner = all.get(0);
        if (new ProcessIdentity(Long.parseLong(owner.name()), owner.detail()).isAlive()) {
            return List.of();
        }
        List<String> failures = TearDown.removeAll(all.subList(1, all.size()));
        if (failures.isEmpty()) {
            delete(file);
        }
        return failures;
    }

    private static List<Path> files(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(SUFFIX)).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String newRunId() {
        return Long.toString(ProcessHandle.current().pid(), Character.MAX_RADIX)
                + "-"
                + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX)
                + "-"
                + RUNS.incrementAndGet();
    }
}
