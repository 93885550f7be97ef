package io.raftlock.bench.server;

import io.raftlock.bench.load.LoadFailure;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The program {@code ip}, and nsenter where that has to be run elsewhere. */
final class Ip {
    private static final long BOUND_SECONDS = 20;

    private Ip() {}

    /**
     * Runs a command.
     *
     * @return what it printed
     * @throws LoadFailure if it fails or takes too long
     */
    static String run(List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(arguments);
        return run(command, "");
    }

    /** Runs commands, a line each. */
    static void batch(String lines) throws IOException, InterruptedException {
        run(List.of("ip", "-batch", "-"), lines);
    }

    /** Runs commands in a namespace, a line each. */
    static void inside(String namespace, String lines) throws IOException, InterruptedException {
        run(List.of("nsenter", "--net=/run/netns/" + namespace, "ip", "-batch", "-"), lines);
    }

    private static String run(List<String> command, String input)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            try (Writer in = process.outputWriter(StandardCharsets.UTF_8)) {
                in.write(input.isEmpty() ? input : input + "\n");
            }
            if (!process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)) {
                throw new LoadFailure(command.get(0) + " took longer than " + BOUND_SECONDS + " s");
            }
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.exitValue() != 0) {
                throw new LoadFailure(String.join(" ", command) + ": " + output.strip());
            }
            return output;
        } finally {
            process.destroyForcibly();
        }
    }
}
