package io.raftlock.bench.server;

import io.raftlock.bench.load.LoadFailure;
import io.raftlock.bench.peer.PeerSystem;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
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
    private static final long SETTLE_MILLIS = 200;

    private final Site site;
    private final List<Started> started = new ArrayList<>();
    private final Thread atExit = new Thread(this::killAll);

    /** A server, and how it is started again on what it has on its disk. */
    private static final class Started {
        private final Launch launch;
        private final ProcessBuilder builder;
        private Process process;

        Started(Launch launch, ProcessBuilder builder) throws IOException {
            this.launch = launch;
            this.builder = builder;
            this.process = builder.start();
        }
    }

    private Servers(Site site) {
        this.site = site;
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /**
     * Starts them, and does not wait until they serve.
     *
     * @param folder for their data and what they print; it must not be there yet
     * @throws IOException if a file cannot be written, or a program not be started
     */
    public static Servers start(PeerSystem system, Path folder) throws IOException {
        return start(system, folder, new Site.Loopback());
    }

    /**
     * As {@link #start(PeerSystem, Path)}, at a site of their own.
     *
     * @throws IOException if a file cannot be written, or a program not be started
     */
    public static Servers start(PeerSystem system, Path folder, Site site) throws IOException {
        return start(Recipes.of(system), folder, site);
    }

    /** As {@link #start(PeerSystem, Path)}, nodes of raft-lock with room for millions of locks. */
    public static Servers startLarge(Path folder) throws IOException {
        return start(Recipes.largeNodes(), folder, new Site.Loopback());
    }

    private static Servers start(List<Launch> launches, Path folder, Site site) throws IOException {
        Servers servers = new Servers(site);
        try {
            for (Launch launch : launches) {
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
        return started.stream()
                .map(each -> hostAndPort(each.launch.number(), each.launch.port()))
                .toList();
    }

    /**
     * Checks that all still run.
     *
     * @throws LoadFailure if one has ended
     */
    public void requireAlive() {
        for (Started each : started) {
            if (!each.process.isAlive()) {
                throw new LoadFailure(
                        "server %d has ended with exit code %d: see its log in %s"
                                .formatted(
                                        each.launch.number(),
                                        each.process.exitValue(),
                                        each.builder.directory()));
            }
        }
    }

    /** Returns the address for clients of one; its number counts from 0. */
    public InetSocketAddress address(int server) {
        Launch launch = started.get(server).launch;
        return new InetSocketAddress(site.address(launch.number()), launch.port());
    }

    /** Returns host:port for the operators of a node of raft-lock; its number counts from 0. */
    public String adminAddress(int node) {
        return hostAndPort(node + 1, Recipes.adminPort(node + 1));
    }

    /** Returns their processes, in the order of the endpoints. */
    public List<ProcessHandle> processes() {
        return started.stream().map(each -> each.process.toHandle()).toList();
    }

    /** Ends one at once, as {@code kill -9} does. Its number counts from 0. */
    public void kill(int server) {
        process(server).destroyForcibly();
    }

    /** Tells one to end in good order. */
    public void stop(int server) {
        process(server).destroy();
    }

    /** Lets one stand still, by SIGSTOP. */
    public void pause(int server) throws IOException, InterruptedException {
        signal("STOP", server);
    }

    /** Cuts one off from the others and from the clients; its site must have cables. */
    public void cut(int server) throws IOException, InterruptedException {
        site.cut(started.get(server).launch.number());
    }

    /** Mends what was cut. */
    public void mend(int server) throws IOException, InterruptedException {
        site.mend(started.get(server).launch.number());
    }

    /** Lets one go on that stands still, and starts one that has ended. */
    public void restore(int server) throws IOException, InterruptedException {
        signal("CONT", server);
        Started one = started.get(server);
        if (one.process.waitFor(SETTLE_MILLIS, TimeUnit.MILLISECONDS)) {
            one.process = one.builder.start();
        }
    }

    @Override
    public void close() {
        started.forEach(each -> each.process.destroy());
        try {
            for (Started each : started) {
                if (!each.process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                    each.process.destroyForcibly();
                }
            }
        } catch (InterruptedException e) {
            killAll();
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().removeShutdownHook(atExit);
    }

    private void killAll() {
        started.forEach(each -> each.process.destroyForcibly());
    }

    private String hostAndPort(int number, int port) {
        return site.address(number) + ":" + port;
    }

    private Process process(int server) {
        return started.get(server).process;
    }

    private void signal(String name, int server) throws IOException, InterruptedException {
        if (process(server).toHandle().isAlive()) {
            new ProcessBuilder("kill", "-" + name, Long.toString(process(server).pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
        }
    }

    private void start(Launch launch, Path folder) throws IOException {
        Files.createDirectories(folder);
        Path config = folder.resolve(launch.template());
        Files.writeString(config, filled(template(launch.template()), launch, folder, config));
        // What ZooKeeper knows its own line in the configuration by.
        Files.writeString(folder.resolve("myid"), Integer.toString(launch.number()));
        List<String> command = new ArrayList<>(site.entering(launch.number()));
        launch.command().forEach(part -> command.add(filled(part, launch, folder, config)));
        started.add(
                new Started(
                        launch,
                        new ProcessBuilder(command)
                                .directory(folder.toFile())
                                .redirectErrorStream(true)
                                .redirectOutput(
                                        ProcessBuilder.Redirect.appendTo(
                                                folder.resolve("log").toFile()))));
    }

    private String filled(String text, Launch launch, Path folder, Path config) {
        String hosts = text.replace("@host@", site.address(launch.number()));
        for (int number = 1; number <= Recipes.SERVERS; number++) {
            hosts = hosts.replace("@host" + number + "@", site.address(number));
        }
        return hosts.replace("@id@", Integer.toString(launch.number()))
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
