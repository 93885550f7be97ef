package io.raftlock.chaos.client;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.store.StoreRequest;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * One life of a client process, with a thread that reads what it writes, and one that writes to it:
 * a process that stands still must not hold up the store. For use by any thread.
 */
final class Life {
    /** More than the actors of a client, each of which waits for one answer at a time. */
    private static final int MOST_LINES = 1_000;

    private static final String END_OF_INPUT = "";

    private final ClientSettings settings;
    private final Process process;
    private final ClientProcess.Surroundings surroundings;
    private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(MOST_LINES);
    private final Thread reader;

    Life(ClientSettings settings, Process process, ClientProcess.Surroundings surroundings) {
        this.settings = settings;
        this.process = process;
        this.surroundings = surroundings;
        surroundings
                .events()
                .accept(
                        new Event.ClientStarted(
                                surroundings.clockNanos().getAsLong(),
                                settings.process(),
                                settings.client(),
                                settings.workload().kind().name(),
                                process.pid()));
        reader = thread("reads-", this::read);
        thread("writes-", this::write);
    }

    String client() {
        return settings.client();
    }

    Process process() {
        return process;
    }

    /** Lines that the process does not take, because it is stuck or gone, are dropped. */
    void order(Order order) {
        boolean unused = lines.offer(order.word());
    }

    void closeInput() {
        boolean unused = lines.offer(END_OF_INPUT);
    }

    /**
     * Waits for the end of the process, and for all that it wrote to be read.
     *
     * @return its exit code
     * @throws IllegalStateException if it does not end within the bound
     */
    int awaitEnd(Duration bound) {
        return awaitEndWithin(bound)
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "%s (pid %d) did not end within %d ms"
                                                .formatted(
                                                        client(),
                                                        process.pid(),
                                                        bound.toMillis())));
    }

    /** Waits as {@link #awaitEnd} does, and returns nothing if it does not end. */
    Optional<Integer> awaitEndWithin(Duration bound) {
        try {
            reader.join(Math.max(1, bound.toMillis()));
            return reader.isAlive() ? Optional.empty() : Optional.of(process.exitValue());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + client(), e);
        }
    }

    private void read() {
        new ClientOutput(
                        client(),
                        surroundings.clockNanos(),
                        process.getInputStream(),
                        surroundings.events(),
                        this::ask)
                .run();
        int exitCode = awaitExit();
        closeInput();
        surroundings
                .events()
                .accept(
                        new Event.ClientEnded(
                                surroundings.clockNanos().getAsLong(),
                                settings.process(),
                                client(),
                                exitCode));
    }

    /** The output has ended, so the process is about to, or has closed what it must not. */
    private int awaitExit() {
        try {
            if (!process.waitFor(1, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            return process.waitFor();
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts this thread", e);
        }
    }

    private void ask(StoreRequest request) {
        try {
            surroundings
                    .store()
                    .ask(
                            client(),
                            request,
                            answer -> {
                                boolean unused = lines.offer(Lines.encode(answer));
                            });
        } catch (RejectedExecutionException closed) {
            // The run is over: nothing is done for this client any more, and it is not told so.
        }
    }

    private void write() {
        try (OutputStream in = process.getOutputStream()) {
            for (String line = lines.take(); !line.equals(END_OF_INPUT); line = lines.take()) {
                in.write((line + '\n').getBytes(StandardCharsets.UTF_8));
                in.flush();
            }
        } catch (IOException gone) {
            // It has ended, which the reader tells.
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts this thread", e);
        }
    }

    private Thread thread(String prefix, Runnable task) {
        Thread made = new Thread(task, prefix + client());
        made.setDaemon(true);
        made.start();
        return made;
    }
}
