package io.raftlock.chaos.net;

import java.util.Map;
import java.util.Set;

/**
 * Connects the hosts of one run, and breaks that. All hosts exist from the beginning. Owned by one
 * thread.
 */
public interface Network extends AutoCloseable {
    /** Ports on which the nodes listen, each on its own host's address. */
    int RAFT_PORT = 9000;

    int CLIENT_PORT = 9100;

    int ADMIN_PORT = 9200;

    /** A kind of thing that a network may be unable to do. */
    enum Ability {
        CUT,
        RESET,
        LOSS,
        DUPLICATION,
        DELAY,
        THROTTLE
    }

    /** Returns what this network can do; calls for anything else throw. */
    Set<Ability> abilities();

    /**
     * Returns the host.
     *
     * @throws IllegalArgumentException if there is none of that name
     */
    Host host(String name);

    /**
     * From now on exactly these links let nothing through: what is sent is late, and comes when the
     * link is whole again, if its connection has lived so long.
     */
    void cut(Set<Link> links);

    /** From now on exactly these links have these shapes, and all others are plain. */
    void shape(Map<Link, Shape> shapes);

    /**
     * Breaks all connections between hosts of the one side and hosts of the other, with a reset.
     *
     * @return how many
     */
    int reset(Set<String> side, Set<String> other);

    /** Mends all links. */
    default void heal() {
        cut(Set.of());
        shape(Map.of());
    }

    /**
     * Returns how many times cuts and shapes have had something to do since the network was made:
     * the proof that a fault had an effect is that this grows.
     */
    long hits();

    /** Takes down all that was set up; does not throw if part of it is gone already. */
    @Override
    void close();
}
