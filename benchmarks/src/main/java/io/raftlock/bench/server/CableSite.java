package io.raftlock.bench.server;

import io.raftlock.bench.load.LoadFailure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A network namespace for each server, with a cable (a pair of virtual interfaces) to a switch. The
 * switch has a namespace of its own, so that no firewall of this machine looks at its packets, and
 * one more cable, to this machine's own network, where the clients are. All of it goes when this is
 * closed, and at the latest with this program. Owned by one thread.
 */
public final class CableSite implements Site, AutoCloseable {
    private static final int SERVERS = Recipes.SERVERS;

    private final CableNames names;
    private final Thread atExit = new Thread(this::remove);

    private CableSite(CableNames names) {
        this.names = names;
    }

    /** Returns why cables cannot be had here, as a sentence; empty if they can. */
    public static Optional<String> missing() throws IOException, InterruptedException {
        Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        if (!user.equals(0)) {
            return Optional.of("network namespaces are made by root alone");
        }
        for (String program : List.of("ip", "nsenter")) {
            if (!Recipes.onPath(program)) {
                return Optional.of(
                        "there is no %s on the PATH: apt-get install iproute2 util-linux"
                                .formatted(program));
            }
        }
        try {
            create().close();
            return Optional.empty();
        } catch (LoadFailure e) {
            return Optional.ofNullable(e.getMessage());
        }
    }

    /**
     * Makes the namespaces and the cables.
     *
     * @throws LoadFailure if this machine does not allow that
     */
    public static CableSite create() throws IOException, InterruptedException {
        CableLeftovers.remove();
        CableSite site = new CableSite(new CableNames(ProcessHandle.current().pid()));
        Runtime.getRuntime().addShutdownHook(site.atExit);
        try {
            site.make();
            return site;
        } catch (IOException | RuntimeException e) {
            site.close();
            throw e;
        }
    }

    @Override
    public String address(int number) {
        return names.address(number);
    }

    /** By nsenter: {@code ip netns exec} makes a mount namespace too. */
    @Override
    public List<String> entering(int number) {
        return List.of("nsenter", "--net=/run/netns/" + names.server(number));
    }

    @Override
    public void cut(int number) throws IOException, InterruptedException {
        port(number, "down");
    }

    @Override
    public void mend(int number) throws IOException, InterruptedException {
        port(number, "up");
    }

    @Override
    public void close() {
        remove();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException ending) {
            // It runs, or has run.
        }
    }

    private void port(int number, String state) throws IOException, InterruptedException {
        Ip.inside(names.hub(), "link set " + names.port(number) + " " + state);
    }

    private void make() throws IOException, InterruptedException {
        if (!Ip.run(List.of("-o", "addr", "show", "to", names.network())).isBlank()) {
            throw new LoadFailure("this machine has addresses in " + names.network());
        }
        Ip.batch(
                names.namespaces(SERVERS).stream()
                        .map("netns add %s"::formatted)
                        .collect(Collectors.joining("\n")));
        Ip.inside(names.hub(), "link add hub type bridge mcast_snooping 0\nlink set hub up");
        Ip.batch(
                """
                link add %1$s type veth peer name up0 netns %2$s
                addr add %3$s dev %1$s
                link set %1$s up
                """
                        .formatted(names.uplink(), names.hub(), names.clientAddress()));
        Ip.inside(names.hub(), "link set up0 master hub up");
        for (int number = 1; number <= SERVERS; number++) {
            plug(number);
        }
    }

    private void plug(int number) throws IOException, InterruptedException {
        Ip.inside(
                names.hub(),
                """
                link add %1$s type veth peer name eth0 netns %2$s
                link set %1$s master hub up
                """
                        .formatted(names.port(number), names.server(number)));
        Ip.inside(
                names.server(number),
                """
                link set lo up
                addr add %s/24 dev eth0
                link set eth0 up
                """
                        .formatted(names.address(number)));
    }

    private void remove() {
        CableLeftovers.remove(names);
    }
}
