package io.raftlock.chaos.net;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Hosts that are addresses in 127.0.0.0/8, between which all connections pass through this process.
 * It needs no rights and changes nothing outside. It knows no packets, so none are lost.
 */
public final class LoopbackNetwork implements Network {
    /** What such a network can do on any machine. */
    public static final Set<Ability> ABILITIES =
            Set.copyOf(EnumSet.of(Ability.CUT, Ability.RESET, Ability.DELAY, Ability.THROTTLE));

    private static final List<Integer> PORTS = List.of(RAFT_PORT, CLIENT_PORT, ADMIN_PORT);
    private static final int NETS = 254;
    private static final int TRIES = 20;

    private final Map<String, Host> hosts;
    private final Switchboard board;

    private LoopbackNetwork(Map<String, Host> hosts, Switchboard board) {
        this.hosts = hosts;
        this.board = board;
    }

    /**
     * Makes a network of its own.
     *
     * @param folder for files that belong to it, which is made if it is not there
     * @param nodes names of the hosts that listen
     * @param others names of the hosts that only call
     * @throws IOException if its addresses cannot be had
     */
    public static LoopbackNetwork open(Path folder, List<String> nodes, List<String> others)
            throws IOException {
        for (int tries = 1; ; tries++) {
            int net = ThreadLocalRandom.current().nextInt(NETS) + 1;
            LoopbackPlan plan = new LoopbackPlan(net, nodes, others);
            Map<String, Host> hosts = plan.writeHosts(folder);
            Switchboard board = new Switchboard();
            try {
                board.listen(plan, PORTS);
                return new LoopbackNetwork(hosts, board);
            } catch (IOException taken) {
                board.close();
                if (tries == TRIES) {
                    throw taken;
                }
            }
        }
    }

    @Override
    public Set<Ability> abilities() {
        return ABILITIES;
    }

    @Override
    public Host host(String name) {
        Host found = hosts.get(name);
        if (found == null) {
            throw new IllegalArgumentException("no host " + name + " among " + hosts.keySet());
        }
        return found;
    }

    @Override
    public void cut(Set<Link> links) {
        requireHosts(links);
        board.cut(Set.copyOf(links));
    }

    @Override
    public void shape(Map<Link, Shape> shapes) {
        requireHosts(shapes.keySet());
        for (Shape each : shapes.values()) {
            if (each.lossPercent() > 0 || each.duplicatePercent() > 0) {
                throw new UnsupportedOperationException("no packets are lost or doubled here");
            }
        }
        board.shape(Map.copyOf(shapes));
    }

    @Override
    public int reset(Set<String> side, Set<String> other) {
        Set<String> all = new HashSet<>(side);
        all.addAll(other);
        all.forEach(this::host);
        return board.reset(Set.copyOf(side), Set.copyOf(other));
    }

    @Override
    public long hits() {
        return board.hits();
    }

    @Override
    public void close() {
        board.close();
    }

    private void requireHosts(Set<Link> links) {
        for (Link link : links) {
            host(link.from());
            host(link.to());
        }
    }
}
