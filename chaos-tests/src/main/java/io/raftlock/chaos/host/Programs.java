package io.raftlock.chaos.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs programs that end by themselves, and soon. What goes in and comes out passes through files,
 * so that neither a full pipe nor a descendant that keeps one open can hold anything up.
 */
public final class Programs {
    /** In which the small tools that this package is about have to end. */
    static final Duration BOUND = Duration.ofSeconds(15);

    private Programs() {}

    /**
     * How a program ended.
     *
     * @param exitCode 128 and the signal's number if a signal ended it
     * @param output on both outputs, together
     */
    public record Result(int exitCode, String output) {}

    /**
     * Runs a program that has to succeed.
     *
     * @return its output
     * @throws ProgramFailedException if it fails, is not there, or does not end in time
     */
    public static String check(List<String> command) {
        return check(command, "");
    }

    /**
     * Runs a program that has to succeed, and that reads this.
     *
     * @return its output
     * @throws ProgramFailedException if it fails, is not there, or does not end in time
     */
    public static String check(List<String> command, String input) {
        Result result = run(BOUND, command, input, Map.of());
        if (result.exitCode() != 0) {
            throw new ProgramFailedException(
                    command, "exit code " + result.exitCode(), result.output());
        }
        return result.output();
    }

    /**
     * Sends a signal to a process.
     *
     * @param name of the signal, such as STOP
     * @throws ProgramFailedException if it cannot be sent
     */
    public static void signal(long pid, String name) {
        check(List.of("kill", "-" + name, Long.toString(pid)));
    }

    /** Returns the path of a program of the JDK that runs this one, such as java. */
    public static String ofJdk(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    /**
     * Runs a program, and does not mind if it fails.
     *
     * @throws ProgramFailedException if it is not there or does not end in time
     */
    public static Result attempt(List<String> command) {
        return run(BOUND, command, "", Map.of());
    }

    /**
     * Runs a program.
     *
     * @param bound after which it is killed
     * @param input that it reads
     * @param variables of its environment, besides those of this process
     * @return how it ended, which may be badly
     * @throws ProgramFailedException if it is not there or does not end in time
     */
    public static Result run(
            Duration bound, List<String> command, String input, Map<String, String> variables) {
        try {
            Path folder = Files.createTempDirectory("program");
            Path in = folder.resolve("in");
            Path out = folder.resolve("out");
            try {
                Files.writeString(in, input);
                int exitCode = run(bound, command, in, out, variables);
                return new Result(exitCode, text(out));
            } finally {
                Files.deleteIfExists(in);
                Files.deleteIfExists(out);
                Files.deleteIfExists(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int run(
            Duration bound, List<String> command, Path in, Path out, Map<String, String> variables)
            throws IOException {
        Process process = start(command, in, out, variables);
        try {
            if (process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS)) {
                return process.exitValue();
            }
            throw new ProgramFailedException(
                    command, "not over within " + bound.toMillis() + " ms", text(out));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ProgramFailedException(command, "interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }

    private static Process start(
            List<String> command, Path in, Path out, Map<String, String> variables) {
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectInput(in.toFile())
                        .redirectOutput(out.toFile());
        builder.environment().putAll(variables);
        try {
            return builder.start();
        } catch (IOException e) {
            throw new ProgramFailedException(command, "cannot be started", e);
        }
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }
}
