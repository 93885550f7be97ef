package io.raftlock.chaos.client;

import java.util.Optional;

/** Where a node listens for clients. */
record NodeAddress(String host, int port) {
    /** Reads {@code host:port}; empty if the text is something else, as that of no leader is. */
    static Optional<NodeAddress> parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon <= 0 || !text.substring(colon + 1).matches("\\d{1,5}")) {
            return Optional.empty();
        }
        return Optional.of(
                new NodeAddress(
                        text.substring(0, colon), Integer.parseInt(text.substring(colon + 1))));
    }
}
