package io.raftlock.bench.server;

import io.raftlock.bench.load.LoadFailure;
import io.raftlock.bench.peer.PeerSystem;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The servers of one system, started with empty disks. They end when this is closed, and at the
 * latest with this program. Owned by one thread.
 */
public final class Servers implements AutoCloseable {
    private static final long STOP_SECONDS = 10;

    private final List<Process> processes = new ArrayList<>();
    private final List<String> endpoints = new ArrayList<>();
    private final Thread atExit = new Thread(this::killAll);

    private Servers() {
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /**
     * Starts them, and does not wait until they serve.
     *
     * @param folder for their data and what they print; it must not be there yet
     * @throws IOException if a file cannot be written, or a program not be started
     */
    public static Servers start(PeerSystem system, Path folder) throws IOException {
        Servers servers = new Servers();
        try {
            for (Launch launch : Recipes.of(system)) {
                servers.start(launch, folder.resolve("s" + launch.number()));
            }
            return servers;
        } catch (IOException | RuntimeException e) {
            servers.close();
            throw e;
        }
    }

    /** Returns host:port of each, for clients. */
    public List<String> endpoints() {
        return List.copyOf(endpoints);
    }

    /**
     * Checks that all still run.
     *
     * @throws LoadFailure if one has ended
     */
    public void requireAlive() {
        for (Process process : processes) {
            if (!process.isAlive()) {
                throw new LoadFailure(
                        "a server has ended with exit code %d: %s"
                                .formatted(process.exitValue(), process.info()));
            }
        }
    }

    /** Returns their processes, in the order of the endpoints. */
    public List<ProcessHandle> processes() {
        return processes.stream().map(Process::toHandle).toList();
    }

    @Override
    public void close() {
        processes.forEach(Process::destroy);
        try {
            for (Process process : processes) {
                if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            }
        } catch (InterruptedException e) {
            killAll();
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().removeShutdownHook(atExit);
    }

    private void killAll() {
        processes.forEach(Process::destroyForcibly);
    }

    private void start(Launch launch, Path folder) throws IOException {
        Files.createDirectories(folder);
        Path config = folder.resolve(launch.template());
        Files.writeString(config, filled(template(launch.template()), launch, folder, config));
        // What ZooKeeper knows its own line in the configuration by.
        Files.writeString(folder.resolve("myid"), Integer.toString(launch.number()));
        List<String> command =
                launch.command().stream()
                        .map(part -> filled(part, launch, folder, config))
                        .toList();
        processes.add(
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile())
                        .start());
        endpoints.add(launch.endpoint());
    }

    private static String filled(String text, Launch launch, Path folder, Path config) {
        return text.replace("@id@", Integer.toString(launch.number()))
                .replace("@folder@", folder.toString())
                .replace("@config@", config.toString());
    }

    private static String template(String name) throws IOException {
        try (InputStream in = Servers.class.getResourceAsStream("/servers/" + name)) {
            if (in == null) {
                throw new IOException("no resource servers/" + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
