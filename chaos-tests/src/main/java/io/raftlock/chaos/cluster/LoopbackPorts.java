package io.raftlock.chaos.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free ports on 127.0.0.1. They lie below the range from which the kernel takes the ports of
 * outgoing connections, so that a node that was killed finds its own free when it comes back.
 */
public final class LoopbackPorts {
    private static final int FIRST = 15_000;
    private static final int AFTER_LAST = 32_000;
    private static final int TRIES = 1_000;

    private final Set<Integer> taken = new HashSet<>();

    /** Returns a port that is free now and was not returned before. */
    public int next() {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, AFTER_LAST);
            if (!taken.contains(port) && isFree(port)) {
                taken.add(port);
                return port;
            }
        }
        throw new IllegalStateException("no free port on 127.0.0.1");
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return probe.isBound();
        } catch (IOException inUse) {
            return false;
        }
    }
}
