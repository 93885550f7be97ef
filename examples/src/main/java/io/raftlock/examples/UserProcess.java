package io.raftlock.examples;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** A {@link LockUser} in a process of its own, as seen by the one who gives it orders. */
final class UserProcess implements AutoCloseable {
    private static final Duration EXIT_BOUND = Duration.ofSeconds(10);

    private final String name;
    private final Process process;
    private final Writer orders;
    private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final BiConsumer<String, Event> remarks;

    private UserProcess(String name, Process process, BiConsumer<String, Event> remarks) {
        this.name = name;
        this.remarks = remarks;
        this.process = process;
        this.orders = process.outputWriter(StandardCharsets.UTF_8);
    }

    /** One line that it reported, and when it arrived. */
    record Event(Report what, String detail, long nanos) {}

    /**
     * Starts the process.
     *
     * @param remarks is told at once of what it says of its session without being asked
     */
    static UserProcess start(
            String name, Duration ttl, List<String> endpoints, BiConsumer<String, Event> remarks) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(LockUser.class.getName());
        command.addAll(List.of(name, Long.toString(ttl.toMillis())));
        command.addAll(endpoints);
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
            UserProcess user = new UserProcess(name, process, remarks);
            user.readEvents();
            return user;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String name() {
        return name;
    }

    long pid() {
        return process.pid();
    }

    void order(String line) {
        try {
            orders.write(line + "\n");
            orders.flush();
        } catch (IOException e) {
            throw new DemoFailure("%s's process takes no orders any more".formatted(name), e);
        }
    }

    /**
     * Waits for that report.
     *
     * @throws DemoFailure if it does not come in time, or it reports a failure or another outcome
     */
    Event await(Report wanted, Duration bound) {
        long deadline = System.nanoTime() + bound.toNanos();
        while (true) {
            Event event = next(wanted, bound, deadline);
            if (event.what() == wanted) {
                return event;
            }
            switch (event.what()) {
                case SESSION, QUEUED, SUSPECT, RECOVERED -> {}
                case LOST -> throw unexpected("its session is lost: " + event.detail());
                case FAILED -> throw unexpected(event.detail());
                case GRANTED, RELEASED ->
                        throw unexpected(
                                "it says \"%s\" where %s was due"
                                        .formatted(lower(event.what()), lower(wanted)));
            }
        }
    }

    /**
     * Makes sure that it has not got the lock until now.
     *
     * @throws DemoFailure if it has
     */
    void requireWaiting() {
        if (events.stream().anyMatch(event -> event.what() == Report.GRANTED)) {
            throw unexpected("it was granted the lock while another held it");
        }
    }

    /** Kills the process as kill -9 does. */
    void kill() {
        process.destroyForcibly();
        awaitExit();
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
    }

    private Event next(Report wanted, Duration bound, long deadline) {
        try {
            Event event = events.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (event == null) {
                throw unexpected(
                        "no \"%s\" from it within %d s"
                                .formatted(lower(wanted), bound.toSeconds()));
            }
            return event;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DemoFailure("interrupted", e);
        }
    }

    private void awaitExit() {
        try {
            if (!process.waitFor(EXIT_BOUND.toMillis(), TimeUnit.MILLISECONDS)) {
                throw unexpected("its process does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DemoFailure("interrupted", e);
        }
    }

    private void readEvents() {
        Thread reader = new Thread(this::readLines, "reports-of-" + name);
        reader.setDaemon(true);
        reader.start();
    }

    private void readLines() {
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                take(parse(line, System.nanoTime()));
            }
        } catch (IOException closed) {
            // The process was killed: there is nothing more to read.
            return;
        }
    }

    private void take(Event event) {
        if (event.what() == Report.SUSPECT || event.what() == Report.RECOVERED) {
            remarks.accept(name, event);
        }
        events.add(event);
    }

    private static Event parse(String line, long nanos) {
        int space = line.indexOf(' ');
        String word = space < 0 ? line : line.substring(0, space);
        String detail = space < 0 ? "" : line.substring(space + 1);
        for (Report each : Report.values()) {
            if (each.name().equals(word)) {
                return new Event(each, detail, nanos);
            }
        }
        return new Event(Report.FAILED, "cannot read its report: " + line, nanos);
    }

    private DemoFailure unexpected(String what) {
        return new DemoFailure("%s (pid %d): %s".formatted(name, process.pid(), what));
    }

    private static String lower(Report what) {
        return what.name().toLowerCase(Locale.ROOT);
    }
}
