package io.raftlock.server.net;

import org.jspecify.annotations.Nullable;

/** Where a session is connected to this node, and when it was last heard, in leader time. */
final class SessionLine {
    private volatile @Nullable ClientConnection connection;
    private volatile long heardNanos;

    SessionLine(ClientConnection connection, long heardNanos) {
        this.connection = connection;
        this.heardNanos = heardNanos;
    }

    @Nullable ClientConnection connection() {
        return connection;
    }

    void connect(ClientConnection to, long leaderNanos) {
        connection = to;
        heardNanos = leaderNanos;
    }

    void disconnect(ClientConnection from) {
        if (connection == from) {
            connection = null;
        }
    }

    /** Called by the event loop of the connection alone, so times come in order. */
    void heard(long leaderNanos) {
        heardNanos = leaderNanos;
    }

    long heardNanos() {
        return heardNanos;
    }
}
