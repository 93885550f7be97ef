package io.raftlock.chaos.node;

import java.io.IOException;
import java.io.UncheckedIOException;
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
        Process tool = start(new ProcessBuilder("kill", "-" + name, Long.toString(pid())));
        if (!ends(tool, TOOL_BOUND) || tool.exitValue() != 0) {
            tool.destroyForcibly();
            throw new IllegalStateException("cannot send SIG" + name + " to " + pid());
        }
    }

    boolean threadDump(Path file) {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Process tool =
                start(
                        new ProcessBuilder(jcmd, Long.toString(pid()), "Thread.print")
                                .redirectErrorStream(true)
                                .redirectOutput(file.toFile()));
        if (ends(tool, TOOL_BOUND) && tool.exitValue() == 0) {
            return true;
        }
        tool.destroyForcibly();
        if (isAlive()) {
            signal("QUIT");
        }
        return false;
    }

    private static Process start(ProcessBuilder builder) {
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
