package io.raftlock.chaos.node;

import io.raftlock.chaos.host.ProgramFailedException;
import io.raftlock.chaos.host.Programs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One process of a node, from its start to its end. Not for use by several threads at once. */
final class NodeLife {
    private static final Duration TOOL_BOUND = Duration.ofSeconds(5);

    private final Process process;
    private boolean isWanted;
    private boolean isReported;

    private NodeLife(Process process) {
        this.process = process;
    }

    static NodeLife start(
            List<String> command,
            Map<String, String> environment,
            NodeSettings settings,
            Path journal) {
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(settings.folder().toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(
                                ProcessBuilder.Redirect.appendTo(settings.logFile().toFile()));
        builder.environment().putAll(environment);
        builder.environment().put(JournalObserver.VARIABLE, journal.toString());
        try {
            return new NodeLife(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    int exitCode() {
        return process.exitValue();
    }

    /** The run ends it. */
    void want() {
        isWanted = true;
    }

    boolean isWanted() {
        return isWanted;
    }

    /** Returns true the first time. */
    boolean firstReport() {
        boolean isFirst = !isReported;
        isReported = true;
        return isFirst;
    }

    void kill() {
        process.destroyForcibly();
    }

    void terminate() {
        process.destroy();
    }

    int awaitExit(Duration bound) {
        if (!ends(process, bound)) {
            throw new IllegalStateException(
                    "process %d did not end within %d ms".formatted(pid(), bound.toMillis()));
        }
        return process.exitValue();
    }

    void signal(String name) {
        Programs.signal(pid(), name);
    }

    boolean threadDump(Path file) {
        List<String> command =
                List.of(Programs.ofJdk("jcmd"), Long.toString(pid()), "Thread.print");
        try {
            Programs.Result dump = Programs.run(TOOL_BOUND, command, "", Map.of());
            Files.writeString(file, dump.output());
            if (dump.exitCode() == 0) {
                return true;
            }
        } catch (ProgramFailedException late) {
            // One that stands still answers when it goes on, by what the signal asks it for.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (isAlive()) {
            signal("QUIT");
        }
        return false;
    }

    private static boolean ends(Process awaited, Duration bound) {
        try {
            return awaited.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a process", e);
        }
    }
}
