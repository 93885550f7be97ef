package io.raftlock.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The script that starts, kills and restarts the nodes. */
final class ClusterScript {
    private static final Duration BOUND = Duration.ofSeconds(60);

    private final Path script;

    ClusterScript(Path script) {
        this.script = script;
    }

    /** Kills the node with kill -9. */
    void kill(String nodeId) {
        run("kill", number(nodeId));
    }

    void restart(String nodeId) {
        run("restart", number(nodeId));
    }

    /** The script counts nodes where the cluster names them: n2 is number 2. */
    private static String number(String nodeId) {
        return nodeId.replaceFirst("^\\D+", "");
    }

    private void run(String verb, String node) {
        String command = "%s %s %s".formatted(script.getFileName(), verb, node);
        try {
            // To a file, as the node that it starts may keep a pipe open for as long as it runs.
            Path output = Files.createTempFile("cluster-script", ".txt");
            try {
                Process process =
                        new ProcessBuilder(script.toString(), verb, node)
                                .redirectErrorStream(true)
                                .redirectOutput(output.toFile())
                                .start();
                process.getOutputStream().close();
                requireSuccess(command, awaitExit(command, process), output);
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new DemoFailure("cannot run " + command, e);
        }
    }

    private static int awaitExit(String command, Process process) {
        try {
            if (process.waitFor(BOUND.toMillis(), TimeUnit.MILLISECONDS)) {
                return process.exitValue();
            }
            process.destroyForcibly();
            throw new DemoFailure(
                    "%s did not end within %d s".formatted(command, BOUND.toSeconds()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DemoFailure("interrupted", e);
        }
    }

    private static void requireSuccess(String command, int exitCode, Path output)
            throws IOException {
        if (exitCode != 0) {
            throw new DemoFailure(
                    "%s ended with %d: %s"
                            .formatted(command, exitCode, Files.readString(output).strip()));
        }
    }
}
