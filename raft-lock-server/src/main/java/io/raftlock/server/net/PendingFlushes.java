package io.raftlock.server.net;

import java.util.LinkedHashSet;
import java.util.Set;

/** Connections that got frames since the last flush. Owned by the apply thread. */
final class PendingFlushes {
    private final Set<ClientConnection> connections = new LinkedHashSet<>();

    void add(ClientConnection connection) {
        connections.add(connection);
    }

    void flushAll() {
        connections.forEach(ClientConnection::flush);
        connections.clear();
    }
}
