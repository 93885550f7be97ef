package io.raftlock.server.net;

import java.util.LinkedHashSet;
import java.util.Set;

/** Connections that got frames since the last flush. Owned by the apply thread. */
final class PendingFlushes {
    /** For more it would take the apply thread longer to write than to have it done. */
    private static final int WRITTEN_AT_ONCE = 2;

    private final Set<ClientConnection> connections = new LinkedHashSet<>();

    void add(ClientConnection connection) {
        connections.add(connection);
    }

    void flushAll() {
        if (connections.size() <= WRITTEN_AT_ONCE) {
            connections.forEach(ClientConnection::flushNow);
        } else {
            connections.forEach(ClientConnection::flush);
        }
        connections.clear();
    }
}
