package io.raftlock.chaos.cluster;

import io.raftlock.chaos.host.Programs;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One node, which is a process of its own while it runs. It can be killed and started again any
 * number of times on the same folder and ports. Not for use by several threads at once.
 */
public final class NodeProcess {
    private static final List<String> JVM_FLAGS =
            List.of("-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    private static final Duration KILL_BOUND = Duration.ofSeconds(10);

    private final Distribution distribution;
    private final NodeSpec spec;
    private @Nullable Process process;

    NodeProcess(Distribution distribution, NodeSpec spec) {
        this.distribution = distribution;
        this.spec = spec;
    }

    public NodeSpec spec() {
        return spec;
    }

    public boolean isRunning() {
        return process != null && process.isAlive();
    }

    /** Starts the process and does not wait for what it does then. */
    public void start() {
        if (isRunning()) {
            throw new IllegalStateException(spec.id() + " runs already");
        }
        List<String> command =
                distribution.command(
                        JVM_FLAGS, List.of("server", "--config", spec.configFile().toString()));
        try {
            process =
                    new ProcessBuilder(command)
                            .directory(spec.folder().toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(
                                    ProcessBuilder.Redirect.appendTo(spec.logFile().toFile()))
                            .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As {@code kill -9}: the process gets no say. Returns when it is gone. */
    public void kill() {
        Process victim = running();
        victim.destroyForcibly();
        awaitExit(victim, KILL_BOUND);
    }

    /** As {@code kill -STOP}: the process stands still with all its connections open. */
    public void pause() {
        signal("STOP");
    }

    /** As {@code kill -CONT}: ends a pause. */
    public void resume() {
        signal("CONT");
    }

    /** As {@code kill -TERM}, without waiting. */
    public void terminate() {
        running().destroy();
    }

    /**
     * Lets no file of the process grow beyond so many bytes from now on: writes fail as on a full
     * disk, and no right is needed to do that. Ends with the process.
     *
     * @return false if this machine has not the tool for it
     */
    public boolean limitFiles(long bytes) {
        String limit = "--fsize=" + bytes + ':';
        try {
            return run(List.of("prlimit", "--pid", Long.toString(running().pid()), limit)) == 0;
        } catch (IOException noSuchTool) {
            return false;
        }
    }

    /**
     * Waits for the process to end.
     *
     * @return its exit code; one that was ended by a signal has 128 and the signal's number
     */
    public int awaitExit(Duration bound) {
        if (process == null) {
            throw new IllegalStateException(spec.id() + " was never started");
        }
        return awaitExit(process, bound);
    }

    /** Returns all that the process wrote, over all its starts. */
    public String log() {
        try {
            return Files.exists(spec.logFile()) ? Files.readString(spec.logFile()) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the process if it runs, whatever state it is in, and does not complain. */
    void destroy() {
        if (process != null) {
            process.destroyForcibly();
            awaitExit(process, KILL_BOUND);
        }
    }

    private int awaitExit(Process awaited, Duration bound) {
        try {
            if (!awaited.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException(
                        "%s (pid %d) did not end within %d ms"
                                .formatted(spec.id(), awaited.pid(), bound.toMillis()));
            }
            return awaited.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + spec.id(), e);
        }
    }

    private void signal(String name) {
        Programs.signal(running().pid(), name);
    }

    private int run(List<String> command) throws IOException {
        return awaitExit(new ProcessBuilder(command).inheritIO().start(), KILL_BOUND);
    }

    private Process running() {
        if (process == null || !process.isAlive()) {
            throw new IllegalStateException(spec.id() + " does not run");
        }
        return process;
    }
}
