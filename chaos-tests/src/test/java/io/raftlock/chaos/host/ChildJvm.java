package io.raftlock.chaos.host;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A JVM of its own that answers each line with a line. */
public final class ChildJvm implements AutoCloseable {
    private static final Duration BOUND = Duration.ofSeconds(20);

    private final Process process;
    private final Writer requests;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    private ChildJvm(Process process) {
        this.process = process;
        requests = process.outputWriter();
        Thread reader = new Thread(this::read, "answers of " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts it.
     *
     * @param prefix of the command line
     * @param flags of the JVM
     */
    public static ChildJvm start(
            Class<?> main,
            List<String> prefix,
            List<String> flags,
            Map<String, String> environment,
            List<String> arguments) {
        List<String> command = new ArrayList<>(prefix);
        command.add(System.getProperty("java.home") + "/bin/java");
        command.addAll(
                List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        try {
            return new ChildJvm(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts one that answers to the requests of {@link Child}, with shims. */
    public static ChildJvm withShims(Shim... shims) {
        return start(
                Child.class, List.of(), List.of(), Shim.environment(List.of(shims)), List.of());
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public String ask(String request) {
        tell(request);
        return answer();
    }

    public long askNumber(String request) {
        return Long.parseLong(ask(request));
    }

    public void tell(String request) {
        try {
            requests.write(request + "\n");
            requests.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String answer() {
        try {
            String answer = answers.poll(BOUND.toMillis(), TimeUnit.MILLISECONDS);
            if (answer == null) {
                throw new IllegalStateException("no answer from " + process);
            }
            return answer;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** As {@code kill -9}; returns when it is gone. */
    public void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    public void awaitEnd() {
        try {
            if (!process.waitFor(BOUND.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("does not end: " + process);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        kill();
    }

    private void read() {
        try (BufferedReader reader = process.inputReader()) {
            reader.lines().forEach(answers::add);
        } catch (IOException | UncheckedIOException gone) {
            // Then nothing more comes.
        }
    }
}
