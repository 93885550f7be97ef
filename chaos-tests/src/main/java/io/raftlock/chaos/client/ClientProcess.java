package io.raftlock.chaos.client;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.host.Programs;
import io.raftlock.chaos.net.Host;
import io.raftlock.chaos.store.StoreDesk;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * One client, which is a process of its own while it runs, and has one life after the other. Not
 * for use by several threads at once.
 */
public final class ClientProcess implements AutoCloseable {
    private static final List<String> JVM_FLAGS =
            List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    private static final Duration KILL_BOUND = Duration.ofSeconds(10);

    private final Host host;
    private final ClientSetup setup;
    private final LongSupplier lives;
    private final Surroundings surroundings;
    private @Nullable Life life;
    private int lifeCount;

    /**
     * What a client's events and questions go to.
     *
     * @param clockNanos the machine's monotonic clock
     * @param events is called by the threads that read, one for each client
     */
    public record Surroundings(LongSupplier clockNanos, Consumer<Event> events, StoreDesk store) {}

    /**
     * @param lives draws the numbers of lives, each of which no client of the run has twice
     */
    public ClientProcess(
            Host host, ClientSetup setup, LongSupplier lives, Surroundings surroundings) {
        this.host = host;
        this.setup = setup;
        this.lives = lives;
        this.surroundings = surroundings;
    }

    /** Returns the name of the host, which outlives restarts. */
    public String name() {
        return host.name();
    }

    /**
     * Returns the name of the present or last life, which is that of its sessions.
     *
     * @throws IllegalStateException if it was never started
     */
    public String client() {
        return last().client();
    }

    public boolean isRunning() {
        return life != null && life.process().isAlive();
    }

    /**
     * Returns the id of the process.
     *
     * @throws IllegalStateException if it does not run
     */
    public long pid() {
        return running().process().pid();
    }

    /** Begins the next life, and does not wait for what it does then. */
    public void start() {
        if (isRunning()) {
            throw new IllegalStateException(name() + " runs already");
        }
        if (life != null) {
            // Nothing of one life is told after the next has begun.
            life.awaitEnd(KILL_BOUND);
        }
        lifeCount++;
        ClientSettings settings =
                new ClientSettings(
                        name(),
                        name() + '.' + lifeCount,
                        lives.getAsLong(),
                        setup.seed() + lifeCount,
                        setup.workload(),
                        setup.endpoints());
        life = new Life(settings, startProcess(settings), surroundings);
    }

    /** Begins nothing new from now on, and lets go what it holds. */
    public void quiet() {
        running().order(Order.QUIET);
    }

    /** Goes on after {@link #quiet}. */
    public void go() {
        running().order(Order.GO);
    }

    /** As {@code kill -STOP}: the process stands still with all its connections open. */
    public void pause() {
        Programs.signal(pid(), "STOP");
    }

    /** As {@code kill -CONT}: ends a pause. */
    public void resume() {
        Programs.signal(pid(), "CONT");
    }

    /** As {@code kill -9}: the process gets no say. Returns when all that it wrote is read. */
    public void kill() {
        Life victim = running();
        victim.process().destroyForcibly();
        victim.awaitEnd(KILL_BOUND);
    }

    /**
     * Has it finish, which it does within ten seconds unless it is paused or starved.
     *
     * @return its exit code, or empty if it did not end within the bound; it runs on then
     */
    public Optional<Integer> stop(Duration bound) {
        askToStop();
        return last().awaitEndWithin(bound);
    }

    /** Has it finish, and does not wait for that. */
    public void askToStop() {
        running().order(Order.STOP);
    }

    /** Lets its input end, as the driver's death would. */
    public void abandon() {
        running().closeInput();
    }

    /**
     * Waits for the process to end, and for all that it wrote to be read.
     *
     * @return its exit code; one that was ended by a signal has 128 and the signal's number
     * @throws IllegalStateException if it does not within the bound
     */
    public int awaitEnd(Duration bound) {
        return last().awaitEnd(bound);
    }

    /** Returns what all lives wrote to their file of errors. */
    public String errors() {
        try {
            return Files.exists(errorFile()) ? Files.readString(errorFile()) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the process if it runs, whatever state it is in. */
    @Override
    public void close() {
        if (isRunning()) {
            kill();
        }
    }

    private Path errorFile() {
        return setup.folder().resolve(name() + ".err");
    }

    private Process startProcess(ClientSettings settings) {
        ProcessBuilder builder = new ProcessBuilder(command(settings));
        builder.environment().putAll(setup.environment());
        builder.redirectError(ProcessBuilder.Redirect.appendTo(errorFile().toFile()));
        try {
            Files.createDirectories(setup.folder());
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> command(ClientSettings settings) {
        List<String> command = new ArrayList<>(host.prefix());
        command.add(Programs.ofJdk("java"));
        command.addAll(JVM_FLAGS);
        command.add("-Djdk.net.hosts.file=" + host.hostsFile());
        command.addAll(setup.jvmFlags());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(ClientMain.class.getName());
        command.addAll(settings.toArguments());
        return command;
    }

    private Life last() {
        if (life == null) {
            throw new IllegalStateException(name() + " was never started");
        }
        return life;
    }

    private Life running() {
        if (!isRunning()) {
            throw new IllegalStateException(name() + " does not run");
        }
        return last();
    }
}
